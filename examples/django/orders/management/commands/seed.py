from decimal import Decimal

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.db import transaction

from orders.models import Category, Customer, Product

PASSWORD = "correct horse battery staple"
ADJECTIVES = ["Small", "Large", "Red", "Blue", "Wooden"]
NOUNS = ["Lamp", "Chair", "Table", "Vase", "Clock", "Shelf", "Mirror", "Basket"]
CATEGORIES = {"Lighting": "Lamp|Mirror", "Seating": "Chair|Table", "Storage": "Table|Vase|Shelf|Basket"}


class Command(BaseCommand):
    help = "Creates the staff user, customers and products. It may be run again."

    def add_arguments(self, parser):
        parser.add_argument("--customers", type=int, default=4)

    @transaction.atomic
    def handle(self, customers, **options):
        password = make_password(PASSWORD)
        if not User.objects.filter(username="staff").exists():
            User.objects.create_superuser("staff", "staff@example.com", PASSWORD)
        for number in range(customers):
            name = f"customer{number}"
            user, _ = User.objects.get_or_create(username=name, defaults={"password": password})
            Customer.objects.get_or_create(user=user, defaults={"name": name.title(), "email": f"{name}@example.com"})

        names = [f"{adjective} {noun}" for adjective in ADJECTIVES for noun in NOUNS]
        Product.objects.bulk_create(
            (
                Product(sku=f"P{number:03}", name=name, price=Decimal(100 + 37 * number) / 4, stock=30)
                for number, name in enumerate(names)
            ),
            ignore_conflicts=True,
        )
        for category in Category.objects.filter(name__in=CATEGORIES):
            category.products.add(*Product.objects.filter(name__regex=CATEGORIES[category.name]))
        self.stdout.write(f"{User.objects.count()} users, {Product.objects.count()} products")
