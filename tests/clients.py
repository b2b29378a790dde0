"""Lists, searches, creates, patches and deletes with the client that was generated, against a live server."""

import os

from shop import AuthenticatedClient
from shop.api.company import create_company, delete_company, get_company, patch_company, search_company
from shop.models.company_create import CompanyCreate
from shop.models.company_page import CompanyPage
from shop.models.company import Company
from shop.models.company_patch import CompanyPatch
from shop.models.filter_ import Filter
from shop.models.filter_type import FilterType
from shop.models.search_company_body import SearchCompanyBody


def main() -> None:
    client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"])
    created = create_company.sync(client=client, body=CompanyCreate(code="GEN", name="Generated Ltd"))
    assert isinstance(created, Company), created
    assert created.name == "Generated Ltd", created
    wanted = Filter(property_="name", type_=FilterType.EQ, param="Generated Ltd")
    found = search_company.sync(client=client, body=SearchCompanyBody(filters=[wanted]))
    assert isinstance(found, CompanyPage) and found.stats.total == 1, found
    item = str(created.id)
    patched = patch_company.sync(item, client=client, body=CompanyPatch(name="Generated and Sons"))
    assert isinstance(patched, Company) and patched.name == "Generated and Sons", patched
    delete_company.sync_detailed(item, client=client)
    assert get_company.sync_detailed(item, client=client).status_code == 404


main()
