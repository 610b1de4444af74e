"""Grids: the back office's listings, with the platform's columns."""

from longtrail.web.sites.shopadmin.action_log import ACTIONS, GROUPS
from longtrail.web.sites.shopadmin.display import STATES, STATUSES
from longtrail.web.sites.shopadmin.grid import AdminGrid, GridColumn

_BILL = "(SELECT billing_name FROM sales_order o WHERE o.entity_id = {}.order_id)"
_SHIP = "(SELECT shipping_name FROM sales_order o WHERE o.entity_id = {}.order_id)"
_ORDER = "(SELECT increment_id FROM sales_order o WHERE o.entity_id = {}.order_id)"
_ORDERED = "(SELECT created_at FROM sales_order o WHERE o.entity_id = {}.order_id)"
_STATUS = "(SELECT status FROM sales_order o WHERE o.entity_id = {}.order_id)"

ORDERS = AdminGrid(
    name="sales_order_grid",
    title="Orders",
    path="/admin/sales/order/",
    source="sales_order",
    columns=(
        GridColumn("increment_id", "ID", "increment_id", filter="text"),
        GridColumn("store", "Purchase Point", "'Main Website Store'"),
        GridColumn("created_at", "Purchase Date", "created_at", "moment", "dates"),
        GridColumn("billing_name", "Bill-to Name", "billing_name", filter="text"),
        GridColumn("shipping_name", "Ship-to Name", "shipping_name", filter="text"),
        GridColumn("base_grand_total", "Grand Total (Base)", "grand_total", "money"),
        GridColumn("grand_total", "Grand Total (Purchased)", "grand_total", "money", "range"),
        GridColumn("status", "Status", "status", "status", "options", STATUSES),
    ),
    search=("increment_id", "billing_name", "shipping_name", "customer_name", "customer_email"),
    sort="created_at",
    link="/admin/sales/order/view/order_id/{id}/",
)
INVOICES = AdminGrid(
    name="sales_order_invoice_grid",
    title="Invoices",
    path="/admin/sales/invoice/",
    source="sales_invoice",
    columns=(
        GridColumn("increment_id", "Invoice", "increment_id", filter="text"),
        GridColumn("created_at", "Invoice Date", "created_at", "moment", "dates"),
        GridColumn("order_increment_id", "Order #", _ORDER.format("sales_invoice"), filter="text"),
        GridColumn("order_created_at", "Order Date", _ORDERED.format("sales_invoice"), "moment"),
        GridColumn("billing_name", "Bill-to Name", _BILL.format("sales_invoice"), filter="text"),
        GridColumn("state", "Status", "'Paid'"),
        GridColumn("grand_total", "Amount", "grand_total", "money", "range"),
    ),
    search=("increment_id", _ORDER.format("sales_invoice"), _BILL.format("sales_invoice")),
    sort="created_at",
    link="/admin/sales/invoice/view/invoice_id/{id}/",
)
SHIPMENTS = AdminGrid(
    name="sales_order_shipment_grid",
    title="Shipments",
    path="/admin/sales/shipment/",
    source="sales_shipment",
    columns=(
        GridColumn("increment_id", "Shipment", "increment_id", filter="text"),
        GridColumn("created_at", "Ship Date", "created_at", "moment", "dates"),
        GridColumn("order_increment_id", "Order #", _ORDER.format("sales_shipment"), filter="text"),
        GridColumn("order_created_at", "Order Date", _ORDERED.format("sales_shipment"), "moment"),
        GridColumn("shipping_name", "Ship-to Name", _SHIP.format("sales_shipment"), filter="text"),
        GridColumn("total_qty", "Total Quantity", "total_qty"),
    ),
    search=("increment_id", _ORDER.format("sales_shipment"), _SHIP.format("sales_shipment")),
    sort="created_at",
    link="/admin/sales/shipment/view/shipment_id/{id}/",
)
CREDITMEMOS = AdminGrid(
    name="sales_order_creditmemo_grid",
    title="Credit Memos",
    path="/admin/sales/creditmemo/",
    source="sales_creditmemo",
    columns=(
        GridColumn("increment_id", "Credit Memo", "increment_id", filter="text"),
        GridColumn("created_at", "Created", "created_at", "moment", "dates"),
        GridColumn("order_increment_id", "Order", _ORDER.format("sales_creditmemo"), filter="text"),
        GridColumn("order_created_at", "Order Date", _ORDERED.format("sales_creditmemo"), "moment"),
        GridColumn("billing_name", "Bill-to Name", _BILL.format("sales_creditmemo"), filter="text"),
        GridColumn("state", "Status", "'Refunded'"),
        GridColumn("grand_total", "Refunded", "grand_total", "money", "range"),
        GridColumn("order_status", "Order Status", _STATUS.format("sales_creditmemo"), "status", "options", STATUSES),
    ),
    search=("increment_id", _ORDER.format("sales_creditmemo"), _BILL.format("sales_creditmemo")),
    sort="created_at",
    link="/admin/sales/creditmemo/view/creditmemo_id/{id}/",
)
_HOME = "(SELECT {} FROM customer_address_entity a WHERE a.entity_id = customer_entity.default_billing)"
CUSTOMERS = AdminGrid(
    name="customer_listing",
    title="Customers",
    path="/admin/customer/index/",
    source="customer_entity",
    columns=(
        GridColumn("entity_id", "ID", "entity_id", filter="range"),
        GridColumn("name", "Name", "firstname || ' ' || lastname", filter="text"),
        GridColumn("email", "Email", "email", filter="text"),
        GridColumn(
            "group", "Group", "(SELECT customer_group_code FROM customer_group g WHERE g.customer_group_id = group_id)",
            filter="options", options={"General": "General", "Wholesale": "Wholesale", "Retailer": "Retailer"},
        ),
        GridColumn("billing_telephone", "Phone", _HOME.format("telephone"), filter="text"),
        GridColumn("billing_postcode", "ZIP", _HOME.format("postcode"), filter="text"),
        GridColumn("billing_country_id", "Country", "'United States'"),
        GridColumn("billing_region", "State/Province", _HOME.format("region"), "state", "options", STATES),
        GridColumn("created_at", "Customer Since", "created_at", "moment", "dates"),
        GridColumn("website_id", "Web Site", "'Main Website'"),
    ),
    search=(
        "firstname || ' ' || lastname", "email",
        *(_HOME.format(name) for name in ("telephone", "street", "city", "postcode")),
    ),
    sort="entity_id",
    link="/admin/customer/index/edit/id/{id}/",
    action="Edit",
    label="firstname || ' ' || lastname",
)  # fmt: skip
CUSTOMER_ORDERS = AdminGrid(
    name="customer_orders_grid",
    title="Orders",
    path="/admin/customer/index/orders/id/{}/",
    source="sales_order",
    columns=(
        GridColumn("increment_id", "Order #", "increment_id", filter="text"),
        GridColumn("created_at", "Purchased", "created_at", "moment", "dates"),
        GridColumn("billing_name", "Bill-to Name", "billing_name", filter="text"),
        GridColumn("shipping_name", "Ship-to Name", "shipping_name", filter="text"),
        GridColumn("grand_total", "Order Total", "grand_total", "money", "range"),
        GridColumn("store", "Purchase Point", "'Main Website Store'"),
    ),
    search=("increment_id",),
    sort="created_at",
    link="/admin/sales/order/view/order_id/{id}/",
)
PRODUCTS = AdminGrid(
    name="product_listing",
    title="Products",
    path="/admin/catalog/product/",
    source="catalog_product_entity",
    columns=(
        GridColumn("entity_id", "ID", "entity_id", filter="range"),
        GridColumn("name", "Name", "name || CASE size WHEN '' THEN '' ELSE '-' || size END", filter="text"),
        GridColumn("type", "Type", "'Simple Product'"),
        GridColumn("category", "Attribute Set", "category", filter="text"),
        GridColumn("sku", "SKU", "sku", filter="text"),
        GridColumn("price", "Price", "price", "money", "range"),
        GridColumn("qty", "Quantity", "qty", filter="range"),
        GridColumn("visibility", "Visibility", "'Catalog, Search'"),
        GridColumn(
            "status", "Status", "CASE status WHEN 1 THEN 'Enabled' ELSE 'Disabled' END",
            filter="options", options={"Enabled": "Enabled", "Disabled": "Disabled"},
        ),
    ),
    search=("name", "sku", "category"),
    sort="entity_id",
    link="/admin/catalog/product/edit/id/{id}/",
    action="Edit",
    descending=False,
    label="sku",
)  # fmt: skip
_PRODUCT = "(SELECT {} FROM catalog_product_entity p WHERE p.entity_id = product_id)"
_REVIEWER = "(SELECT firstname || ' ' || lastname FROM customer_entity c WHERE c.entity_id = customer_id)"
REVIEWS = AdminGrid(
    name="reviewGrid",
    title="Reviews",
    path="/admin/review/product/",
    source="review",
    id="review_id",
    columns=(
        GridColumn("review_id", "ID", "review_id", filter="range"),
        GridColumn("created_at", "Created", "created_at", "moment", "dates"),
        GridColumn(
            "status", "Status", "status", filter="options",
            options={"Approved": "Approved", "Pending": "Pending", "Not Approved": "Not Approved"},
        ),
        GridColumn("title", "Title", "title", filter="text"),
        GridColumn("nickname", "Nickname", "nickname", filter="text"),
        GridColumn(
            "detail", "Review", "CASE WHEN LENGTH(detail) > 50 THEN SUBSTR(detail, 1, 47) || '...' ELSE detail END"
        ),
        GridColumn("type", "Type", "'Customer'"),
        GridColumn("product", "Product", _PRODUCT.format("name"), filter="text"),
        GridColumn("sku", "SKU", _PRODUCT.format("sku"), filter="text"),
    ),
    search=("title", "nickname", "detail", _PRODUCT.format("name"), _PRODUCT.format("sku"), _REVIEWER),
    sort="review_id",
    link="/admin/review/product/edit/id/{id}/",
    action="Edit",
)  # fmt: skip
PAGES = AdminGrid(
    name="cms_page_listing",
    title="Pages",
    path="/admin/cms/page/",
    source="cms_page",
    id="page_id",
    columns=(
        GridColumn("page_id", "ID", "page_id"),
        GridColumn("title", "Title", "title", filter="text"),
        GridColumn("identifier", "URL Key", "identifier", filter="text"),
        GridColumn("layout", "Layout", "'1 column'"),
        GridColumn("store", "Store View", "'All Store Views'"),
        GridColumn("is_active", "Status", "CASE is_active WHEN 1 THEN 'Enabled' ELSE 'Disabled' END"),
        GridColumn("creation_time", "Created", "creation_time", "moment"),
        GridColumn("update_time", "Modified", "update_time", "moment"),
    ),
    search=("title", "identifier"),
    sort="page_id",
    link="/admin/cms/page/edit/page_id/{id}/",
    action="Edit",
    descending=False,
    label="title",
)
ACTION_LOG = AdminGrid(
    name="logging_event_grid",
    title="Action Log",
    path="/admin/logging/event/",
    source="magento_logging_event",
    id="log_id",
    columns=(
        GridColumn("time", "Time", "time", "moment", "dates"),
        GridColumn("event_code", "Action Group", "event_code", filter="options", options={x: x for x in GROUPS}),
        GridColumn("action", "Action", "action", filter="options", options={x: x for x in ACTIONS}),
        GridColumn("ip", "IP Address", "ip", filter="text"),
        GridColumn("user", "Username", "user", filter="text"),
        GridColumn("info", "Details", "info", filter="text"),
    ),
    search=("info", "user", "ip"),
    sort="time",
    link="/admin/logging/event/view/event_id/{id}/",
    label="log_id",
)
