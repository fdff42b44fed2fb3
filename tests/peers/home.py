"""Makes a home of Home Assistant's demo world, with an owner and a token, into a folder that tests copy: home.py FOLDER."""

import asyncio
import os
import pathlib
import shutil
import signal
import socket
import sys

import aiohttp

# The port comes from the environment, so that each copy answers on its own.
CONFIGURATION = """\
homeassistant:
  name: Demo
  latitude: 52.37
  longitude: 4.89
  elevation: 2
  unit_system: metric
  time_zone: Europe/Amsterdam
  country: NL
  currency: EUR
http:
  server_host: 127.0.0.1
  server_port: !env_var HOME_PORT
api:
websocket_api:
onboarding:
config:
recorder:
  commit_interval: 0
history:
demo:
logger:
  default: warning
"""


async def until_answered(session, address):
    for _ in range(600):
        try:
            async with session.get(f"{address}/api/onboarding") as answer:
                if answer.status == 200:
                    return
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.2)
    raise SystemExit("Home Assistant did not start")


async def posted(session, url, **body):
    async with session.post(url, **body) as answer:
        answer.raise_for_status()
        return await answer.json()


async def onboard(session, address):
    client = f"{address}/"
    owner = {"client_id": client, "name": "Owner", "username": "owner", "password": "seeded-word", "language": "en"}
    code = (await posted(session, f"{address}/api/onboarding/users", json=owner))["auth_code"]
    form = {"grant_type": "authorization_code", "code": code, "client_id": client}
    access = (await posted(session, f"{address}/auth/token", data=form))["access_token"]
    headers = {"Authorization": f"Bearer {access}"}
    for step in ("core_config", "analytics"):
        await posted(session, f"{address}/api/onboarding/{step}", json={}, headers=headers)
    integration = {"client_id": client, "redirect_uri": f"{address}/?auth_callback=1"}
    await posted(session, f"{address}/api/onboarding/integration", json=integration, headers=headers)
    async with session.ws_connect(f"{address}/api/websocket") as ws:
        await ws.receive_json()
        await ws.send_json({"type": "auth", "access_token": access})
        await ws.receive_json()
        await ws.send_json({"id": 1, "type": "auth/long_lived_access_token", "client_name": "tests", "lifespan": 3650})
        return (await ws.receive_json())["result"]


async def main(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "configuration.yaml").write_text(CONFIGURATION)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hass = pathlib.Path(sys.executable).with_name("hass")
    home = await asyncio.create_subprocess_exec(
        hass, "-c", folder, env={**os.environ, "HOME_PORT": str(port)}
    )
    try:
        address = f"http://127.0.0.1:{port}"
        async with aiohttp.ClientSession() as session:
            await until_answered(session, address)
            token = await onboard(session, address)
    finally:
        home.send_signal(signal.SIGTERM)
        await home.wait()
    for log in folder.glob("home-assistant.log*"):
        log.unlink()
    # Last, so that a folder with a token is whole.
    (folder / "token").write_text(token)


asyncio.run(main(pathlib.Path(sys.argv[1])))
