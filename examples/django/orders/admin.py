from django.contrib import admin, messages
from django.db import IntegrityError
from django.db.models import F
from django.http import HttpResponseRedirect

from orders.models import Category, Customer, Note, Order, OrderLine, Product


class ShopAdmin(admin.ModelAdmin):
    def delete_view(self, request, object_id, extra_context=None):
        """The confirmation lists what depends on an object; more may have come since."""
        try:
            return super().delete_view(request, object_id, extra_context)
        except IntegrityError:
            self.message_user(request, "It is in use again and was not deleted.", messages.ERROR)
            return HttpResponseRedirect(request.path)


class OrderLineInline(admin.TabularInline):
    model = OrderLine
    extra = 0
    raw_id_fields = ["product"]


@admin.register(Customer)
class CustomerAdmin(ShopAdmin):
    list_display = ["name", "email", "points"]
    search_fields = ["name", "email"]
    raw_id_fields = ["user"]


@admin.register(Product)
class ProductAdmin(ShopAdmin):
    list_display = ["sku", "name", "price", "stock", "active", "updated_at"]
    list_filter = ["active", "categories"]
    search_fields = ["sku", "name"]
    readonly_fields = ["created_at", "updated_at"]
    list_per_page = 20
    actions = ["restock"]

    @admin.action(description="Add 10 to the stock")
    def restock(self, request, queryset):
        changed = queryset.update(stock=F("stock") + 10)
        self.message_user(request, f"{changed} products restocked.")


@admin.register(Category)
class CategoryAdmin(ShopAdmin):
    list_display = ["name"]
    search_fields = ["name"]
    filter_horizontal = ["products"]


@admin.register(Order)
class OrderAdmin(ShopAdmin):
    list_display = ["public_id", "customer", "status", "placed_at"]
    list_filter = ["status", "customer"]
    list_select_related = ["customer"]
    search_fields = ["customer__name", "lines__product__name"]
    date_hierarchy = "placed_at"
    inlines = [OrderLineInline]
    list_per_page = 20


@admin.register(Note)
class NoteAdmin(ShopAdmin):
    list_display = ["order", "kind", "written_at"]
    list_select_related = ["order"]
    raw_id_fields = ["order"]
