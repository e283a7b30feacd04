"""The token through its module: the functions of PKCS#11 that the command line uses."""

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from totient.common.errors import InputError, ToolError
from totient.common.trust import check_code

Value = bool | int | bytes
"""Value of an attribute: CK_BBOOL, CK_ULONG, or bytes."""

# Numbers of PKCS#11 2.40.
CLASS, TOKEN, PRIVATE, LABEL, VALUE_ID = 0x0, 0x1, 0x2, 0x3, 0x102
KEY_TYPE, SIGN, DECRYPT, VERIFY, ENCRYPT = 0x100, 0x108, 0x105, 0x10A, 0x104
MODULUS, MODULUS_BITS, PUBLIC_EXPONENT = 0x120, 0x121, 0x122
PRIVATE_NUMBERS = (0x123, 0x124, 0x125, 0x126, 0x127, 0x128)
SENSITIVE, EXTRACTABLE, LOCAL, NEVER_EXTRACTABLE = 0x103, 0x162, 0x163, 0x164
PUBLIC_KEY, PRIVATE_KEY, RSA = 2, 3, 0
USER, OFFICER = 1, 0
_RSA_KEY_PAIR_GEN = 0
_READ_WRITE = 6  # CKF_RW_SESSION, CKF_SERIAL_SESSION
_UNAVAILABLE = 2 ** (8 * ctypes.sizeof(ctypes.c_ulong)) - 1

_MEANINGS = {
    0x05: "the module failed inside",
    0x13: "a number of the key is not as the others have it, or out of range",
    0x30: "the device does not answer: see the line `device` in the token's file `config`",
    0x31: "the token's folder cannot be written",
    0xA0: "the PIN is wrong",
    0xA2: "the PIN is too short or too long, allowed are 4 to 255 bytes",
    0xA4: "the PIN is locked after ten wrong tries",
    0x102: "no user PIN is set",
    0xE1: "the folder has no token: totient token init",
}

# Places in CK_FUNCTION_LIST, behind the version.
_INITIALIZE, _FINALIZE, _INIT_TOKEN, _INIT_PIN = 0, 1, 9, 10
_OPEN_SESSION, _LOGIN, _CREATE_OBJECT = 12, 18, 20
_GET_ATTRIBUTES, _FIND_INIT, _FIND, _FIND_FINAL, _GENERATE_KEY_PAIR = 24, 26, 27, 28, 59


class _Attribute(ctypes.Structure):
    _fields_ = (("type", ctypes.c_ulong), ("value", ctypes.c_void_p), ("length", ctypes.c_ulong))


class _Mechanism(ctypes.Structure):
    _fields_ = (
        ("mechanism", ctypes.c_ulong),
        ("parameter", ctypes.c_void_p),
        ("length", ctypes.c_ulong),
    )


class _FunctionList(ctypes.Structure):
    _fields_ = (("version", ctypes.c_ubyte * 2), ("functions", ctypes.c_void_p * 68))


class _Template:
    """Attributes as C has them. The buffers live as long as the object."""

    def __init__(self, attributes: Mapping[int, Value]) -> None:
        self._buffers = [ctypes.create_string_buffer(_raw(v)) for v in attributes.values()]
        self.count = len(attributes)
        self.array = (_Attribute * max(self.count, 1))(
            *(
                _Attribute(kind, ctypes.addressof(buffer), len(buffer) - 1)
                for kind, buffer in zip(attributes, self._buffers, strict=True)
            )
        )

    def wipe(self) -> None:
        """Overwrite the values."""
        for buffer in self._buffers:
            ctypes.memset(buffer, 0, len(buffer))


def _raw(value: Value) -> bytes:
    if isinstance(value, bool):
        return bytes([value])
    return bytes(ctypes.c_ulong(value)) if isinstance(value, int) else value


class Token:
    """A token that is open in this process."""

    def __init__(self, list_: _FunctionList) -> None:
        self._functions = list_.functions
        self._session = ctypes.c_ulong(0)

    def _call(self, place: int, what: str, *arguments: object) -> None:
        function = ctypes.CFUNCTYPE(ctypes.c_ulong)(self._functions[place])
        code = function(*arguments)
        if code:
            meaning = _MEANINGS.get(code, f"PKCS#11 error {code:#x}")
            raise InputError(f"cannot {what}: {meaning}")

    def initialise(self, label: str, officer_pin: bytes, pin: bytes) -> None:
        """Make a new token. All keys of an old one are lost."""
        padded = label.encode().ljust(32)
        slot = ctypes.c_ulong(0)
        self._call(
            *(_INIT_TOKEN, "initialise the token", slot),
            *(officer_pin, ctypes.c_ulong(len(officer_pin)), padded),
        )
        self.login(officer_pin, OFFICER)
        self._call(
            *(_INIT_PIN, "set the user PIN", self._session, pin, ctypes.c_ulong(len(pin))),
        )

    def open(self) -> None:
        """Open a session that may write."""
        self._call(
            *(_OPEN_SESSION, "open the token", ctypes.c_ulong(0), ctypes.c_ulong(_READ_WRITE)),
            *(None, None, ctypes.byref(self._session)),
        )

    def login(self, pin: bytes, user: int = USER) -> None:
        """Open a session, and log in."""
        self.open()
        self._call(
            *(_LOGIN, "log in", self._session, ctypes.c_ulong(user), pin),
            ctypes.c_ulong(len(pin)),
        )

    def create(self, attributes: Mapping[int, Value]) -> None:
        """Store an object."""
        handle = ctypes.c_ulong(0)
        template = _Template(attributes)
        try:
            self._call(
                *(_CREATE_OBJECT, "store the key", self._session, template.array),
                *(ctypes.c_ulong(template.count), ctypes.byref(handle)),
            )
        finally:
            template.wipe()

    def generate(self, public: Mapping[int, Value], private: Mapping[int, Value]) -> None:
        """Generate an RSA key on the token's device."""
        handles = ctypes.c_ulong(0), ctypes.c_ulong(0)
        mechanism = _Mechanism(_RSA_KEY_PAIR_GEN, None, 0)
        first, second = _Template(public), _Template(private)
        self._call(
            *(_GENERATE_KEY_PAIR, "generate the key", self._session, ctypes.byref(mechanism)),
            *(first.array, ctypes.c_ulong(first.count), second.array),
            *(ctypes.c_ulong(second.count), *(ctypes.byref(handle) for handle in handles)),
        )

    def find(self, attributes: Mapping[int, Value]) -> list[int]:
        """Handles of the objects with these attributes."""
        template, found = _Template(attributes), []
        self._call(
            *(_FIND_INIT, "search", self._session, template.array, ctypes.c_ulong(template.count)),
        )
        handle, count = ctypes.c_ulong(0), ctypes.c_ulong(0)
        while True:
            self._call(
                *(_FIND, "search", self._session, ctypes.byref(handle), ctypes.c_ulong(1)),
                ctypes.byref(count),
            )
            if not count.value:
                break
            found.append(handle.value)
        self._call(_FIND_FINAL, "search", self._session)
        return found

    def read(self, handle: int, kinds: Sequence[int]) -> list[bytes]:
        """Values of an object's attributes; empty where it has none."""
        values = []
        for kind in kinds:
            attribute = _Attribute(kind, None, 0)
            function = ctypes.CFUNCTYPE(ctypes.c_ulong)(self._functions[_GET_ATTRIBUTES])
            arguments = (self._session, ctypes.c_ulong(handle), ctypes.byref(attribute))
            one = ctypes.c_ulong(1)
            if function(*arguments, one) or attribute.length == _UNAVAILABLE:
                values.append(b"")
                continue
            buffer = ctypes.create_string_buffer(attribute.length + 1)
            attribute.value = ctypes.addressof(buffer)
            self._call(_GET_ATTRIBUTES, "read a key", *arguments, one)
            values.append(buffer.raw[: attribute.length])
        return values


@contextmanager
def open_token(module: Path) -> Iterator[Token]:
    """Load the module. The environment's `TOTIENT_TOKEN` says which folder it opens.

    Raises:
        ToolError: the module cannot be loaded, or somebody else can have written it.
    """
    check_code(module)
    try:
        library = ctypes.CDLL(str(module))
    except OSError as error:
        raise ToolError(f"cannot load the PKCS#11 module {module}: {error}") from error
    pointer = ctypes.POINTER(_FunctionList)()
    library.C_GetFunctionList(ctypes.byref(pointer))
    token = Token(pointer.contents)
    token._call(_INITIALIZE, "load the module", None)
    try:
        yield token
    finally:
        token._call(_FINALIZE, "leave the module", None)
