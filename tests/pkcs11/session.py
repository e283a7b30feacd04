"""A session of python-pkcs11 in a process of its own: a library is loaded once in a process."""

import json
import sys
from typing import Any

from tests.pkcs11.place import PIN, Place

_HEAD = """
import json, os, sys
import pkcs11
from pkcs11 import Attribute, KeyType, MGF, Mechanism, MechanismFlag, ObjectClass
library = pkcs11.lib(sys.argv[1])
token = next(library.get_tokens())
given = json.load(sys.stdin)

def private(name):
    return session.get_key(object_class=ObjectClass.PRIVATE_KEY, label=name)

def public(name):
    return session.get_key(object_class=ObjectClass.PUBLIC_KEY, label=name)

def error(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except pkcs11.exceptions.PKCS11Error as found:
        return type(found).__name__
    return ""

session = token.open(user_pin=sys.argv[2], rw=True) if sys.argv[2] else None
"""


def in_session(place: Place, body: str, pin: str = PIN, **given: Any) -> Any:
    """What a program prints as JSON, that has a session and is given values."""
    done = place.run(
        *(sys.executable, "-W", "ignore", "-c", _HEAD + body, place.module, pin),
        stdin=json.dumps(given).encode(),
    )
    assert done.status == 0, done.err
    return json.loads(done.out)
