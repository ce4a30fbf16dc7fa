"""What the clients of the workload do, as a person with a browser would."""

import re
from html.parser import HTMLParser

from django.urls import reverse

from orders.management.commands.seed import ADJECTIVES, CATEGORIES, NOUNS, PASSWORD

TEXTS = ["Leave it at the door.", "Ring twice – it's the 2nd floor.", 'Ask for "Zoë" \\o/ 100%']


class Form(HTMLParser):
    """Reads the fields of the forms of a page, with the values a browser would send."""

    def __init__(self, response):
        super().__init__()
        self.fields = {}
        self.select = self.textarea = None
        self.feed(response.content.decode())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        name, value = attributes.get("name"), attributes.get("value") or ""
        if tag == "select":
            self.select = name
        elif tag == "option" and self.select and "selected" in attributes:
            self.fields.setdefault(self.select, []).append(value)
        elif tag == "textarea":
            self.textarea = name
            self.fields[name] = ""
        elif tag == "input" and name and attributes.get("type") not in ("submit", "file"):
            if attributes.get("type") not in ("checkbox", "radio"):
                self.fields[name] = value
            elif "checked" in attributes:
                self.fields[name] = value or "on"

    def handle_endtag(self, tag):
        if tag == "select":
            self.select = None
        elif tag == "textarea":
            self.textarea = None

    def handle_data(self, data):
        if self.textarea:
            self.fields[self.textarea] += data.removeprefix("\n")


class Person:
    def __init__(self, browser, rng, name):
        self.browser, self.rng, self.name = browser, rng, name

    def act(self):
        actions = list(self.actions)
        (action,) = self.rng.choices(actions, weights=[self.actions[a] for a in actions])
        response = getattr(self, action)()
        if response is not None and "login" in response.headers.get("Location", ""):
            self.log_in()

    def log_in(self):
        page = self.browser.get(reverse(self.login))
        fields = Form(page).fields | {"username": self.name, "password": PASSWORD}
        return self.browser.post(reverse(self.login), fields)


class Shopper(Person):
    login = "login"
    actions = {
        "search": 25,
        "look": 10,
        "list_orders": 15,
        "place_order": 20,
        "look_at_order": 15,
        "pay": 6,
        "write_note": 8,
        "cancel": 6,
        "read_sales": 3,
        "read_customers": 3,
        "log_out": 0.5,
    }

    def __init__(self, browser, rng, name):
        super().__init__(browser, rng, name)
        self.orders = []

    def search(self):
        query = {"sort": self.rng.choice(["name", "price", "newest"]), "page": self.rng.randint(1, 4)}
        if self.rng.random() < 0.5:
            query["q"] = self.rng.choice(ADJECTIVES + NOUNS).lower()[:4]
        elif self.rng.random() < 0.3:
            query["category"] = self.rng.choice(sorted(CATEGORIES))
        return self.browser.get(reverse("products"), query)

    def look(self):
        return self.browser.get(reverse("product", args=[self.sku()]))

    def sku(self):
        # Some products are wanted by everybody, and one is not there.
        return f"P{min(int(self.rng.expovariate(0.1)), 40):03}"

    def list_orders(self):
        response = self.browser.get(reverse("my-orders"))
        if response.status_code == 200:
            self.orders = [order["public_id"] for order in response.json()["orders"]]
        return response

    def place_order(self):
        wanted = sorted({self.sku() for _ in range(self.rng.randint(1, 3))})
        quantities = [self.rng.randint(1, 2) for _ in wanted]
        return self.browser.post(reverse("place-order"), {"sku": wanted, "quantity": quantities})

    def at_order(self, view, data=None):
        """The order may be gone, for another browser of the same customer may have cancelled it."""
        if not self.orders:
            return self.list_orders()
        url = reverse(view, args=[self.rng.choice(self.orders)])
        return self.browser.get(url) if data is None else self.browser.post(url, data)

    def look_at_order(self):
        return self.at_order("order")

    def pay(self):
        return self.at_order("pay-order", {})

    def write_note(self):
        kind = self.rng.choice(["delivery", "invoice"])
        text = self.rng.choice(TEXTS)
        gift = {"gift": "on"} if self.rng.random() < 0.3 else {}
        return self.at_order("write-note", {"kind": kind, "text": text} | gift)

    def cancel(self):
        return self.at_order("cancel-order", {})

    def read_sales(self):
        return self.browser.get(reverse("sales-report"))

    def read_customers(self):
        return self.browser.get(reverse("customers-report"))

    def log_out(self):
        self.browser.post(reverse("logout"))
        return self.log_in()


class Staff(Person):
    login = "admin:login"
    actions = {
        "index": 1,
        "search_products": 4,
        "add_product": 2,
        "change_product": 4,
        "delete_product": 2,
        "restock": 3,
        "change_category": 2,
        "search_orders": 4,
        "ship_order": 4,
        "delete_order": 2,
        "history": 1,
    }

    def __init__(self, browser, rng):
        super().__init__(browser, rng, "staff")
        self.added = 0

    def index(self):
        return self.browser.get(reverse("admin:index"))

    def changelist(self, model, **query):
        return self.browser.get(reverse(f"admin:orders_{model}_changelist"), query)

    def pick(self, model, **query):
        """The key of an object on a page of the list."""
        page = self.changelist(model, **query).content.decode()
        keys = sorted(set(re.findall(rf"/admin/orders/{model}/(\d+)/change/", page)), key=int)
        return self.rng.choice(keys) if keys else None

    def edit(self, url, **changes):
        """Sends a form with some fields changed. The object may be gone: then there is none."""
        page = self.browser.get(url)
        if page.status_code != 200:
            return page
        fields = Form(page).fields
        fields.update({name: change(fields) if callable(change) else change for name, change in changes.items()})
        return self.browser.post(url, fields)

    def change(self, model, key, **changes):
        return key and self.edit(reverse(f"admin:orders_{model}_change", args=[key]), _save="Save", **changes)

    def delete(self, model, key):
        return key and self.edit(reverse(f"admin:orders_{model}_delete", args=[key]), post="yes")

    def search_products(self):
        query = {"q": self.rng.choice(NOUNS).lower(), "o": self.rng.choice(["3", "-4", "2.-6"])}
        if self.rng.random() < 0.5:
            query["active__exact"] = self.rng.choice(["0", "1"])
        if self.rng.random() < 0.3:
            query["categories__id__exact"] = self.rng.randint(1, 3)
        return self.changelist("product", **query)

    def add_product(self):
        self.added += 1
        return self.edit(
            reverse("admin:orders_product_add"),
            sku=f"N{self.added:03}",
            name=f"New {self.rng.choice(NOUNS)}",
            price=f"{self.rng.randint(1, 9999) / 100:.2f}",
            stock="5",
            _save="Save",
        )

    def change_product(self):
        key = self.pick("product", q=self.rng.choice(ADJECTIVES))
        price = f"{self.rng.randint(100, 9999) / 100:.2f}"
        return self.change("product", key, price=price, description="Now at a new price.")

    def delete_product(self):
        return self.delete("product", self.pick("product", q=self.rng.choice(["new", "new", "red"])))

    def restock(self):
        keys = [self.pick("product", o="4"), self.pick("product", o="4")]
        return self.browser.post(
            reverse("admin:orders_product_changelist"),
            {"action": "restock", "_selected_action": [key for key in keys if key], "index": "0"},
        )

    def change_category(self):
        key = self.pick("category")

        def toggle(fields):
            return sorted(set(fields.get("products", [])) ^ {str(self.rng.randint(1, 20))})

        return self.change("category", key, products=toggle)

    def search_orders(self):
        return self.changelist("order", q=self.rng.choice(NOUNS), status__exact=self.rng.choice(["placed", "paid"]))

    def ship_order(self):
        return self.change("order", self.pick("order", status__exact="paid"), status="shipped")

    def delete_order(self):
        return self.delete("order", self.pick("order"))

    def history(self):
        key = self.pick("product")
        return key and self.browser.get(reverse("admin:orders_product_history", args=[key]))
