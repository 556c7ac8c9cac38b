import type { Call } from './command.ts'
import type { serveCommand } from './declarations.ts'
import type { ExitCode } from './exit-codes.ts'
import { runServices } from './run-services.ts'

/** `skilldock serve`: runs until SIGTERM or SIGINT. */
export async function serve({ program }: Call<typeof serveCommand>): Promise<ExitCode> {
  return runServices(program)
}
