"""Parts without machine code: what needs the inside of numba 0.68, and nothing else does.

A part is translated to LLVM's intermediate representation; the kernel that calls it links that in, and is optimised
once.
"""

from __future__ import annotations

import ctypes
from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering


class PartCompiler(CompilerBase):
    """numba's compiler, stopped after a function is translated for LLVM."""

    def define_pipelines(self) -> list[PassManager]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(Lowering if one is NativeLowering else one, why) for one, why in pipeline.passes]
        pipeline.finalize()
        return [pipeline]


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):
    """Compiler pass that translates a function for LLVM and registers it for its callers, without machine code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = Code(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, context = state["cr"], state.targetctx
        # numba identifies a compiled function by a C object. This one is never called.
        name = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", NEVER_CALLED, lowered.env, (state.library,)
        )
        context.insert_user_function(name, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = lowered._replace(cfunc=name)
        return True


class Code(JITCodeLibrary):
    """The LLVM code of a part and of all parts that it calls, linked into a kernel and optimised there."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


NEVER_CALLED: int = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value or 0
"""Address of a function that raises MemoryError, in case anything calls a part that has no machine code."""
