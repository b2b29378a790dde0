"""Reads and writes decimals as texts with the client that was generated for them, against a live server."""

import os

from shop_admin_text import AuthenticatedClient
from shop_admin_text.api.invoice import get_invoice
from shop_admin_text.api.line import create_line, delete_line, get_line, list_line, patch_line
from shop_admin_text.api.queries import get_query_months
from shop_admin_text.models.invoice import Invoice
from shop_admin_text.models.line import Line
from shop_admin_text.models.line_create import LineCreate
from shop_admin_text.models.line_page import LinePage
from shop_admin_text.models.line_patch import LinePatch


def main() -> None:
    client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"])
    page = list_line.sync(client=client)
    assert isinstance(page, LinePage) and page.data, page
    first: str = page.data[0].price
    assert len(first.split(".")[1]) == 2, first
    created = create_line.sync(client=client, body=LineCreate(invoice=1, text="Exact", price="0.10", quantity=3))
    assert isinstance(created, Line), created
    assert (created.price, created.quantity, created.amount) == ("0.10", "3.00", "0.30"), created
    item = str(created.id)
    # The ETag is that of the answer with texts.
    tag = get_line.sync_detailed(item, client=client).headers["etag"]
    patched = patch_line.sync_detailed(item, client=client, body=LinePatch(price="0.20"), if_match=tag)
    assert isinstance(patched.parsed, Line) and patched.parsed.amount == "0.60", patched
    invoice = get_invoice.sync("1", client=client)
    assert isinstance(invoice, Invoice) and isinstance(invoice.net, str), invoice
    assert isinstance(invoice.overdue, bool), invoice
    months = get_query_months.sync(client=client)
    assert months is not None and hasattr(months, "data"), months
    net: str = months.data[0].net
    assert "." in net, months
    delete_line.sync_detailed(item, client=client, if_match=patched.headers["etag"])
    assert get_line.sync_detailed(item, client=client).status_code == 404


main()
