import { UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Program } from './program.ts'
import { runServices } from './run-services.ts'

/** `skilldock serve`: runs until SIGTERM or SIGINT. */
export async function serve(words: string[], program: Program): Promise<ExitCode> {
  if (words.length > 0) throw new UsageError('serve takes no words; its settings come from the environment.')
  return runServices(program)
}
