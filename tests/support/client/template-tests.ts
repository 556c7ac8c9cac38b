import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examplesOf, findingsOf, inProject, manifestOf, readmeCommands, runInSandbox } from './new-project.ts'
import type { NewProject } from './new-project.ts'

/** In milliseconds. Compilers take seconds, and many times that on a busy machine. */
export const templateTestTimeoutMs = 300_000

/** Tests that a new project in every language must pass. `built` returns the project with its module. */
export function testTemplate(built: () => NewProject): void {
  test('the registry accepts it without errors or warnings', () => {
    expect(findingsOf(built()).filter(({ severity }) => severity !== 'note')).toEqual([])
  })

  test('its examples pass in the sandbox', () => {
    expect(examplesOf(built())).toEqual(manifestOf(built()).examples)
  })

  test('its memory use does not depend on the input', () => {
    const line = 'naïve 🦀 "quoted" '.repeat(200_000)
    const run = runInSandbox(built(), line)
    expect(JSON.parse(run.text)).toEqual([line])
    expect(run.peakMemoryBytes).toBe(runInSandbox(built(), '').peakMemoryBytes)
  })

  test('invalid input makes it exit with 2 and write one line to standard error', () => {
    const { end, exitCode, stderr } = runInSandbox(built(), Uint8Array.of(0x61, 0x0a, 0xff))
    expect([end, exitCode]).toEqual(['exited', 2])
    expect(new TextDecoder().decode(stderr)).toBe(`${built().name}: line 2 is not UTF-8\n`)
  })

  test(
    'its own test reports which example fails',
    async () => {
      const { folder, read } = built()
      const text = read('manifest.json')
      writeFileSync(join(folder, 'manifest.json'), text.replace('\\"milk\\"', '\\"silk\\"'))
      const { status, stdout } = await inProject(built(), 'node --test')
      writeFileSync(join(folder, 'manifest.json'), text)
      expect(status).toBe(1)
      expect(stdout).toContain('example 1 of the manifest passes')
      expect(stdout).toMatch(/fail 1$/m)
    },
    templateTestTimeoutMs,
  )
}

/** Runs the commands of its README in order and returns their output. */
export async function followReadme(
  project: NewProject,
  variables: Record<string, string> = {},
  isLeftOut: (command: string) => boolean = () => false,
): Promise<{ commands: string[]; output: string }> {
  const commands = readmeCommands(project)
  let output = ''
  for (const command of commands.filter((one) => !isLeftOut(one))) {
    const { status, stdout, stderr } = await inProject(project, command, variables)
    output += `${stdout}${stderr}`
    if (status !== 0) throw new Error(`"${command}" ended with ${status}:\n${stdout}${stderr}`)
  }
  return { commands, output }
}
