import { runModule } from '../../../shared/sandbox/run-module.ts'
import type { RunProgress, SandboxOrder, SandboxRun } from '../../../shared/sandbox/sandbox-run.ts'
import { answerQuestions } from '../answer.ts'

// Each question is one run in a new worker, which is terminated afterwards or at the time limit.
answerQuestions<SandboxOrder, SandboxRun, RunProgress>((order, progress) => {
  const run = runModule(order, progress)
  return { message: run, transfer: [run.stdout.buffer, run.stderr.buffer] }
})
