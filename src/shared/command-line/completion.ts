import type { CommandEntry, Completes, OptionSpecs, ProgramTable } from './command-table.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const isShell = (word: string): word is Shell => shells.some((shell) => shell === word)

/** A script that makes this shell complete the program's commands, options, values and files. */
export function printCompletion(table: ProgramTable, shell: Shell): string {
  const help: CommandEntry = {
    name: 'help',
    summary: 'Show help',
    usage: ['[COMMAND]'],
    about: '',
    options: {},
    arguments: [table.commands.map(({ name }) => name)],
  }
  return printers[shell]({ ...table, commands: [...table.commands, help] })
}

const printers: Record<Shell, (table: ProgramTable) => string> = {
  bash: printBash,
  zsh: printZsh,
  fish: printFish,
}

/** In single quotes, for bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Every position where a value can be completed: the words before it, as a pattern, and what it may be. */
function positions({ commands, options }: ProgramTable): { before: string; completes: Completes }[] {
  const ofOptions = (command: string, specs: OptionSpecs) =>
    Object.entries(specs).flatMap(([name, { completes }]) =>
      completes === undefined ? [] : [{ before: `${command} --${name}`, completes }],
    )
  return [
    ...ofOptions('*', options),
    ...commands.flatMap((command) => [
      ...ofOptions(command.name, command.options),
      ...(command.arguments ?? []).map((completes, at) => ({ before: `${command.name} ${at}`, completes })),
    ]),
  ].filter(({ completes }) => completes.length > 0)
}

/** Patterns `COMMAND --OPTION` of all options with a value. */
const withValue = ({ commands, options }: ProgramTable): string[] =>
  [{ name: '*', options }, ...commands].flatMap((command) =>
    Object.entries(command.options).flatMap(([name, { type }]) =>
      type === 'string' ? [`${command.name} --${name}`] : [],
    ),
  )

const namesOf = (options: OptionSpecs): string[] =>
  Object.entries(options).flatMap(([name, { short }]) => [
    ...(short === undefined ? [] : [`-${short}`]),
    `--${name}`,
  ])

/** A pattern of bash, in which only `*` is not literal. */
const bashPattern = (words: string): string =>
  words.startsWith('*') ? `*${quoted(words.slice(1))}` : quoted(words)

function printBash(table: ProgramTable): string {
  const { name, commands, options } = table
  const actions = { file: 'compopt -o default', folder: 'compopt -o dirnames' } as const
  const actionOf = (completes: Completes): string =>
    typeof completes === 'string' ? actions[completes] : `words=${quoted(completes.join(' '))}`
  return `# Completion of ${name} for bash 4 or later. Load it with: source <(${name} completion bash)
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} command='' option='' isArgument='' at=0 words='' i current
  for ((i = 1; i < COMP_CWORD; i++)); do
    current=\${COMP_WORDS[i]}
    # bash splits words at = and :, as in --option=value and http://host:80.
    if [[ $current == = ]]; then continue; fi
    if [[ $current == : ]]; then i=$((i + 1)); continue; fi
    if [[ -n $option ]]; then option=''; continue; fi
    if [[ -z $isArgument && $current == -- ]]; then isArgument=1
    elif [[ -z $isArgument && $current == -* ]]; then
      case "$command $current" in
        ${withValue(table).map(bashPattern).join('|')}) option=$current ;;
      esac
    elif [[ -z $command ]]; then command=$current
    else at=$((at + 1))
    fi
  done
  if [[ $word == = ]]; then word=''; fi
  if [[ -z $option && -z $isArgument && $word == -* ]]; then
    words=${quoted(namesOf(options).join(' '))}
    case $command in
${commands.map((one) => `      ${one.name}) words+=${quoted(` ${namesOf(one.options).join(' ')}`)} ;;`).join('\n')}
    esac
  elif [[ -z $option && -z $command ]]; then
    words=${quoted(commands.map((one) => one.name).join(' '))}
  else
    case "$command \${option:-$at}" in
${positions(table)
  .map(({ before, completes }) => `      ${bashPattern(before)}) ${actionOf(completes)} ;;`)
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _${name} ${name}
`
}

/** A description in a specification of \`_arguments\`. */
const zshText = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`)

const zshActions = { file: '_files', folder: '_files -/' } as const

function zshValue(label: string, completes: Completes = []): string {
  const action =
    typeof completes === 'string'
      ? zshActions[completes]
      : completes.length === 0
        ? ' '
        : `(${completes.join(' ')})`
  return `:${zshText(label)}:${action}`
}

function zshOptions(options: OptionSpecs): string[] {
  return Object.entries(options).flatMap(([name, { type, short, value, help, completes }]) => {
    const rest = `[${zshText(help)}]`
    if (type === 'string') return [quoted(`--${name}=${rest}${zshValue(value ?? '', completes)}`)]
    const names = short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`]
    return names.map((one) => quoted(`${one}${rest}`))
  })
}

function printZsh({ name, commands, options }: ProgramTable): string {
  const common = zshOptions(options)
  const ofCommand = (command: CommandEntry): string => {
    const values = command.arguments ?? []
    const specs = [
      ...common,
      ...zshOptions(command.options),
      ...values.map((completes, at) => quoted(`${at + 1}${zshValue('argument', completes)}`)),
    ]
    return `    ${command.name}) _arguments -s -S ${specs.join(' ')} ;;`
  }
  return `#compdef ${name}
# Completion of ${name} for zsh. Load it after compinit with: source <(${name} completion zsh)
_${name}() {
  local state
  local -a line commands=(
${commands.map((one) => `    ${quoted(`${one.name}:${one.summary}`)}`).join('\n')}
  )
  _arguments -C ${common.join(' ')} '1:command:->command' '*::argument:->arguments'
  if [[ $state == command ]]; then _describe command commands; return; fi
  if [[ $state != arguments ]]; then return; fi
  case $words[1] in
${commands.map(ofCommand).join('\n')}
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

/** In single quotes, for fish. */
const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

function printFish(table: ProgramTable): string {
  const { name, commands, options } = table
  const where = `__${name}_position`
  const line = (condition: string, rest: string): string => `complete -c ${name} -n "${condition}" ${rest}`
  const values = (completes: Completes = []): string => {
    if (completes === 'file') return '-r -F'
    if (completes === 'folder') return "-x -a '(__fish_complete_directories)'"
    return completes.length === 0 ? '-x' : `-x -a ${fishQuoted(completes.join(' '))}`
  }
  const optionLines = (condition: string, specs: OptionSpecs): string[] =>
    Object.entries(specs).map(([option, { type, short, help, completes }]) => {
      const names = `-l ${option}${short === undefined ? '' : ` -s ${short}`}`
      const value = type === 'string' ? ` ${values(completes)}` : ''
      return line(condition, `${names}${value} -d ${fishQuoted(help)}`)
    })
  const isAt = (position: string): string => `string match -q -- '${position}' (${where})`
  const argumentLines = (command: CommandEntry): string[] =>
    (command.arguments ?? []).flatMap((completes, at) => {
      const condition = isAt(`${command.name} ${at}`)
      if (completes === 'file') return [line(condition, '-F')]
      if (completes === 'folder') return [line(condition, "-a '(__fish_complete_directories)'")]
      return completes.length === 0 ? [] : [line(condition, `-a ${fishQuoted(completes.join(' '))}`)]
    })
  return `# Completion of ${name} for fish. Save it as ~/.config/fish/completions/${name}.fish
# Prints the command and the number of its arguments before the cursor.
function ${where}
  set -l command ''
  set -l at 0
  set -l isValue 0
  set -l isArgument 0
  for word in (commandline -opc)[2..]
    if test $isValue = 1
      set isValue 0
    else if test $isArgument = 0 -a "x$word" = x--
      set isArgument 1
    else if test $isArgument = 0; and string match -q -- '-*' $word
      switch "$command $word"
        case ${withValue(table).map(fishQuoted).join(' ')}
          set isValue 1
      end
    else if test -z "$command"
      set command $word
    else
      set at (math $at + 1)
    end
  end
  echo "$command $at"
end
complete -c ${name} -f
${[
  ...optionLines('true', options),
  ...commands.map(({ name: command, summary }) =>
    line(isAt(' 0'), `-a ${command} -d ${fishQuoted(summary)}`),
  ),
  ...commands.flatMap((command) => [
    ...optionLines(isAt(`${command.name} *`), command.options),
    ...argumentLines(command),
  ]),
].join('\n')}
`
}
