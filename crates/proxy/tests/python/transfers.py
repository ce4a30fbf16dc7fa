"""An application: it transfers money and knows nothing of a proxy."""
import importlib
import sys

driver, database, host, port, user, table = sys.argv[1:7]
db = importlib.import_module(driver).connect(user=user, host=host, port=int(port), database=database)
cursor = db.cursor()
cursor.execute(f"DROP TABLE IF EXISTS {table}")
cursor.execute(f"CREATE TABLE {table} (id INT PRIMARY KEY, balance INT)")
db.commit()
for account in (1, 2):
    cursor.execute(f"INSERT INTO {table} (id, balance) VALUES (%s, %s)", (account, 100))
db.commit()
for amount in range(1, 11):
    balances = {}
    for account in (1, 2):
        cursor.execute(f"SELECT balance FROM {table} WHERE id = %s", (account,))
        balances[account] = cursor.fetchone()[0]
    cursor.execute(f"UPDATE {table} SET balance = %s WHERE id = %s", (balances[1] - amount, 1))
    cursor.execute(f"UPDATE {table} SET balance = %s WHERE id = %s", (balances[2] + amount, 2))
    if amount % 5 == 0:
        db.rollback()
    else:
        db.commit()
cursor.execute(f"SELECT id, balance FROM {table} ORDER BY id")
print(cursor.fetchall())
db.commit()
db.close()
