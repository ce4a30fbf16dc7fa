import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class Customer(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=100)
    email = models.EmailField(unique=True)
    points = models.IntegerField(default=0)

    def __str__(self):
        return self.name


class Product(models.Model):
    sku = models.CharField("SKU", max_length=20, unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    price = models.DecimalField(max_digits=10, decimal_places=2)
    stock = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["active", "name"], name="product_active_name")]
        constraints = [
            models.CheckConstraint(condition=models.Q(price__gte=0), name="product_price_not_negative"),
        ]

    def __str__(self):
        return self.name


class Category(models.Model):
    name = models.CharField(max_length=50, unique=True)
    products = models.ManyToManyField(Product, related_name="categories", blank=True)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "categories"

    def __str__(self):
        return self.name


class Order(models.Model):
    class Status(models.TextChoices):
        PLACED = "placed"
        PAID = "paid"
        SHIPPED = "shipped"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    status = models.CharField(max_length=10, choices=Status, default=Status.PLACED)
    placed_at = models.DateTimeField(default=timezone.now, db_index=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-placed_at", "-id"]

    def __str__(self):
        return str(self.public_id)


class OrderLine(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="lines")
    quantity = models.PositiveSmallIntegerField()
    unit_price = models.DecimalField(max_digits=10, decimal_places=2)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["order", "product"], name="line_once_per_product"),
            models.CheckConstraint(condition=models.Q(quantity__gte=1), name="line_quantity_positive"),
        ]

    def __str__(self):
        return f"{self.quantity} of {self.product_id}"


class Note(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="notes")
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["order", "kind"], name="note_once_per_kind"),
        ]

    def __str__(self):
        return self.kind
