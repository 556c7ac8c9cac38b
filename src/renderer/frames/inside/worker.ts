import wabt from 'wabt'
import type { Disassembly, DisassemblyQuestion } from '../../../shared/wasm/function-text.ts'
import { instructionLines, stopOf } from '../../../shared/wasm/function-text.ts'
import { answerQuestions } from '../answer.ts'

type Wabt = Awaited<ReturnType<typeof wabt>>

// All features: what a module uses is shown, whether or not an engine would run it.
const features = {
  exceptions: true,
  mutable_globals: true,
  sat_float_to_int: true,
  sign_extension: true,
  simd: true,
  threads: true,
  function_references: true,
  multi_value: true,
  tail_call: true,
  bulk_memory: true,
  reference_types: true,
  memory64: true,
  multi_memory: true,
  extended_const: true,
  relaxed_simd: true,
  gc: true,
}

const refusal = 'readWasm failed:\n'

function stopIn(tools: Wabt, question: DisassemblyQuestion): Disassembly['stop'] {
  try {
    tools.readWasm(question.module, { readDebugNames: false, check: true, ...features })
    return null
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith(refusal)) throw error
    return stopOf(error.message.slice(refusal.length), question)
  }
}

// Nothing is freed: the worker is terminated after one function.
function disassemble(tools: Wabt, question: DisassemblyQuestion): Disassembly {
  const stop = stopIn(tools, question)
  // Without the check it returns what it could read before the error.
  const module = tools.readWasm(question.module, { readDebugNames: false, check: false, ...features })
  return { ...instructionLines(module.toText({ foldExprs: false, inlineExport: false })), stop }
}

const tools = wabt()

answerQuestions<DisassemblyQuestion, Disassembly>(async (question) => ({
  message: disassemble(await tools, question),
}))
