from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import connection, transaction
from django.db.models import Avg, Count, DecimalField, Exists, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, TruncDate
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_POST

from orders.models import Category, Customer, Note, Order, OrderLine, Product

SORTS = {"name": ["name", "id"], "price": ["price", "id"], "newest": ["-created_at", "-id"]}
REVENUE = Sum(F("lines__quantity") * F("lines__unit_price"), output_field=DecimalField())


@require_GET
def products(request):
    found = Product.objects.filter(active=True).prefetch_related("categories")
    if words := request.GET.get("q"):
        found = found.filter(Q(name__icontains=words) | Q(sku__istartswith=words))
    if category := request.GET.get("category"):
        found = found.filter(categories__name=category)
    found = found.order_by(*SORTS.get(request.GET.get("sort"), SORTS["name"]))
    page = Paginator(found, 10).get_page(request.GET.get("page"))
    return JsonResponse({"pages": page.paginator.num_pages, "products": [describe(p) for p in page]})


@require_GET
def product(request, sku):
    return JsonResponse(describe(get_object_or_404(Product, sku=sku, active=True)))


def describe(product):
    return {
        "sku": product.sku,
        "name": product.name,
        "price": product.price,
        "available": product.stock > 0,
        "categories": [category.name for category in product.categories.all()],
    }


@login_required
@require_GET
def my_orders(request):
    orders = Order.objects.filter(customer__user=request.user).annotate(lines_count=Count("lines"), total=REVENUE)
    rows = orders.values("public_id", "status", "placed_at", "lines_count", "total")[:20]
    return JsonResponse({"orders": list(rows)})


@login_required
@require_POST
def place_order(request):
    """Takes parallel lists: sku=A&quantity=1&sku=B&quantity=2."""
    wanted = dict(zip(request.POST.getlist("sku"), map(int, request.POST.getlist("quantity"))))
    customer = get_object_or_404(Customer, user=request.user)
    with transaction.atomic():
        chosen = list(Product.objects.select_for_update().filter(sku__in=wanted, active=True).order_by("id"))
        if len(chosen) < len(wanted) or any(p.stock < wanted[p.sku] for p in chosen):
            return JsonResponse({"error": "out of stock"}, status=409)
        order = Order.objects.create(customer=customer)
        OrderLine.objects.bulk_create(
            OrderLine(order=order, product=p, quantity=wanted[p.sku], unit_price=p.price) for p in chosen
        )
        for p in chosen:
            p.stock = F("stock") - wanted[p.sku]
            p.save(update_fields=["stock", "updated_at"])
        Customer.objects.filter(pk=customer.pk).update(points=F("points") + sum(wanted.values()))
    return JsonResponse({"order": order.public_id}, status=201)


@login_required
@require_GET
def order(request, public_id):
    orders = Order.objects.select_related("customer__user").prefetch_related("lines__product", "notes")
    order = get_object_or_404(orders, public_id=public_id, customer__user=request.user)
    return JsonResponse(
        {
            "customer": order.customer.name,
            "user": order.customer.user.get_username(),
            "status": order.status,
            "lines": [[line.product.name, line.quantity, line.unit_price] for line in order.lines.all()],
            "notes": {note.kind: note.data for note in order.notes.all()},
        }
    )


def lock_order(request, public_id):
    """Locks an order of the user, and changes it: a lock alone is nothing that a snapshot notices."""
    # MariaDB has no FOR UPDATE OF and locks the customer, too.
    of = ["self"] if connection.features.has_select_for_update_of else []
    mine = Order.objects.select_for_update(of=of).filter(customer__user=request.user)
    order = get_object_or_404(mine, public_id=public_id)
    order.save(update_fields=["changed_at"])
    return order


@login_required
@require_POST
def pay_order(request, public_id):
    unpaid = Order.objects.filter(public_id=public_id, customer__user=request.user, status=Order.Status.PLACED)
    if not unpaid.update(status=Order.Status.PAID):
        return JsonResponse({"error": "nothing to pay"}, status=409)
    return JsonResponse({"status": Order.Status.PAID})


@login_required
@require_POST
def write_note(request, public_id):
    with transaction.atomic():
        order = lock_order(request, public_id)
        data = {"text": request.POST["text"], "gift": "gift" in request.POST, "by": request.user.pk}
        _, created = order.notes.update_or_create(kind=request.POST["kind"], defaults={"data": data})
    return JsonResponse(data, status=201 if created else 200)


@login_required
@require_POST
def cancel_order(request, public_id):
    with transaction.atomic():
        order = lock_order(request, public_id)
        if order.status == Order.Status.SHIPPED:
            return JsonResponse({"error": "already shipped"}, status=409)
        for line in order.lines.order_by("product_id"):
            Product.objects.filter(pk=line.product_id).update(stock=F("stock") + line.quantity)
        deleted, _ = order.delete()
    return JsonResponse({"deleted": deleted})


@require_GET
def sales_report(request):
    by_day = (
        Order.objects.annotate(day=TruncDate("placed_at"))
        .values("day")
        .annotate(orders=Count("id", distinct=True), revenue=REVENUE)
        .order_by("day")
    )
    by_category = Category.objects.annotate(
        size=Count("products", distinct=True),
        sold=Coalesce(Sum("products__lines__quantity"), 0),
    ).values("name", "size", "sold")
    best = (
        Product.objects.annotate(sold=Sum("lines__quantity"), revenue=REVENUE)
        .filter(sold__gt=0)
        .order_by("-revenue", "id")
        .values("sku", "sold", "revenue")[:5]
    )
    totals = OrderLine.objects.aggregate(
        lines=Count("id"), average_price=Avg("unit_price"), average_quantity=Avg("quantity"), pieces=Sum("quantity")
    )
    gifts = Note.objects.filter(data__gift=True).count()
    return JsonResponse(
        {"days": list(by_day), "categories": list(by_category), "best": list(best), "totals": totals, "gifts": gifts}
    )


@require_GET
def customers_report(request):
    latest = Order.objects.filter(customer=OuterRef("pk")).order_by("-placed_at", "-id")
    gifts = Note.objects.filter(order__customer=OuterRef("pk"), data__gift=True)
    customers = Customer.objects.annotate(
        paid=Count("orders", filter=Q(orders__status=Order.Status.PAID)),
        latest=Subquery(latest.values("placed_at")[:1]),
        sends_gifts=Exists(gifts),
    ).order_by("-points", "id")
    unsold = Product.objects.filter(active=True, lines=None).exclude(stock=0)
    return JsonResponse(
        {
            "customers": list(customers.values("name", "points", "paid", "latest", "sends_gifts")),
            "unsold": list(unsold.order_by("sku").values_list("sku", flat=True)),
        }
    )
