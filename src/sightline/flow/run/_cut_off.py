"""The process that tells of a run whose own process is gone: `python -m sightline.flow.run._cut_off`."""

import os

import orjson

from sightline.flow.run._outcome import WATCHED, tell_cut_off
from sightline.flow.run._state import FlowStore
from sightline.flow.spec import Flow


def main(told: str) -> None:
    """Tell that a run was cut off, unless it ended all the same."""
    file, store, run_id, variables = orjson.loads(told)
    flow = Flow.load(file)
    flow = flow.with_variables({name: value for name, value in variables.items() if name in flow.variables})
    folder = FlowStore(store, flow.name).run(run_id)
    if folder.state.verdict is None:
        tell_cut_off(flow, folder)


if __name__ == "__main__":
    main(os.environ[WATCHED])
