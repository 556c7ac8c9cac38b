import { runModule } from '../../../shared/sandbox/run-module.ts'
import type { RunProgress, SandboxInput, SandboxRun } from '../../../shared/sandbox/sandbox-run.ts'
import { answerQuestions } from '../answer.ts'

// Each question is one run in a new worker, which is terminated afterwards or at the time limit.
answerQuestions<SandboxInput, SandboxRun, RunProgress>((input, progress) => {
  const run = runModule(input, progress)
  return { message: run, transfer: [run.stdout.buffer, run.stderr.buffer] }
})
