import { defineCheck, inField } from './define-check.ts'
import type { Check } from './define-check.ts'

export const exampleChecks: readonly Check[] = [
  defineCheck({
    id: 'examples-same',
    severity: 'warning',
    means: 'Two examples are the same.',
    find: ({ manifest: { examples } }) =>
      examples.flatMap(({ input, output }, index) => {
        const first = examples.findIndex((other) => other.input === input && other.output === output)
        if (first === index) return []
        return {
          place: inField(`examples.${index}`),
          title: `Example ${index + 1} is the same as example ${first + 1}`,
          reason: 'It shows nothing that the first one does not.',
          advice: 'Ask for a different case, such as empty input.',
          key: [input, output],
        }
      }),
  }),
  defineCheck({
    id: 'examples-contradict',
    severity: 'error',
    means: 'Two examples declare different outputs for the same input.',
    find: ({ manifest: { examples } }) =>
      examples.flatMap(({ input, output }, index) => {
        const first = examples.findIndex((other) => other.input === input)
        const before = examples[first]
        if (first === index || before === undefined || before.output === output) return []
        return {
          place: inField(`examples.${index}.output`),
          title: `Examples ${first + 1} and ${index + 1} contradict each other`,
          reason: 'Both have the same input but declare different outputs, so at most one of them can pass.',
          advice: 'Ask which one is correct. Output that depends on chance or time cannot be an example.',
          key: [input, before.output, output],
        }
      }),
  }),
  defineCheck({
    id: 'examples-silent',
    severity: 'warning',
    means: 'No example declares any output except whitespace.',
    find({ manifest: { examples } }) {
      if (examples.some(({ output }) => output.trim() !== '')) return []
      return [
        {
          place: inField('examples'),
          title: 'No example declares any output except whitespace',
          reason:
            'A module that writes nothing but whitespace could pass all of them, so they prove nothing.',
          advice: 'Ask for an example whose output shows what the skill does.',
          key: examples.flatMap(({ input, output }) => [input, output]),
        },
      ]
    },
  }),
  defineCheck({
    id: 'example-output-empty',
    severity: 'note',
    means: 'One of several examples declares no output.',
    find({ manifest: { examples } }) {
      if (examples.every(({ output }) => output.trim() === '')) return []
      return examples.flatMap(({ input, output }, index) => {
        if (output.trim() !== '') return []
        return {
          place: inField(`examples.${index}.output`),
          title: `Example ${index + 1} declares no output`,
          reason: 'A module that does nothing would pass it. This may be fine for an example of empty input.',
          advice: 'Run it and look at its exit code and standard error.',
          key: [input, output],
        }
      })
    },
  }),
  defineCheck({
    id: 'examples-echo',
    severity: 'note',
    means: 'In every example, the output equals the input, except for whitespace at the start and end.',
    find({ manifest: { examples } }) {
      if (examples.some(({ input, output }) => input.trim() === '' || input.trim() !== output.trim()))
        return []
      return [
        {
          place: inField('examples'),
          title: 'Every example returns its input, except for whitespace at the start and end',
          reason: 'A module that only copies its input and trims or adds whitespace would pass all of them.',
          advice: 'Try your own input, and ask for an example with a different output.',
          key: examples.flatMap(({ input, output }) => [input, output]),
        },
      ]
    },
  }),
]
