"""Signs an official client in as its person would: opens the sign-in page, enters the agent's key (MCP_KEY), and reads the redirect.

A client that is given MCP_CLIENT_DOCUMENT is known by that address; else it registers.
"""

import os
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

CALLBACK = "http://localhost:3999/callback"


class Form(HTMLParser):
    """The fields of the first form of a page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.key_field = None, {}, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = given["action"]
        elif tag == "input" and given.get("type") == "password":
            self.key_field = given["name"]
        elif tag == "input":
            self.fields[given["name"]] = given.get("value", "")


async def enter_key(http, url):
    """The address to which the browser is sent once the key was entered."""
    page = await http.get(url)
    form = Form(page.text)
    place = urlsplit(url)
    entered = {**form.fields, form.key_field: os.environ["MCP_KEY"]}
    origin = {"Origin": f"{place.scheme}://{place.netloc}"}
    answer = await http.post(urljoin(url, form.action), data=entered, headers=origin)
    return answer.headers["location"]


def told(location):
    """What the redirect tells the client."""
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


class Memory:
    """What a client keeps."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def provider(url, open_client, answer):
    """The client's way to sign in. `open_client` makes an HTTP client, `answer` what the callback returns of what was told."""
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientMetadata

    redirects = []

    async def redirect(page):
        async with open_client() as http:
            redirects.append(told(await enter_key(http, page)))

    async def callback():
        return answer(redirects.pop())

    metadata = OAuthClientMetadata(
        client_name="Official client", redirect_uris=[CALLBACK], token_endpoint_auth_method="none",
        grant_types=["authorization_code", "refresh_token"], response_types=["code"],
    )
    document = os.environ.get("MCP_CLIENT_DOCUMENT")
    return OAuthClientProvider(url, metadata, Memory(), redirect, callback, client_metadata_url=document)
