import { formatBytes, formatCount, formatMiB, plural } from '../../../lib/format.ts'
import { hexRange } from './hex-rows.ts'

/** The views of an opened module, which are loaded when one is opened. */
export const texts = {
  views: {
    label: 'Module views',
    functions: 'Functions',
    strings: 'Strings',
    hex: 'Hex',
    sections: 'Sections',
  },
  loading: 'Loading…',
  noRows: (noun: string) => `No ${noun}s`,
  rows: (matched: number, all: number, noun: string, limit: number) => {
    const first = matched > limit ? ` (first ${formatCount(limit)} shown)` : ''
    return matched === all
      ? `${plural(all, noun)}${first}`
      : `${formatCount(matched)} of ${plural(all, noun)}${first}`
  },
  functions: {
    noun: 'function',
    index: 'Index',
    name: 'Function',
    offset: 'Offset',
    bytes: 'Bytes',
    share: '% of code',
    unnamed: 'unnamed',
    exported: 'exported',
    filter: 'Filter functions by name, index or offset',
    filterPlaceholder: 'Name, index or 0x offset',
  },
  function: {
    back: 'Functions',
    backCommand: 'back to the functions',
    bytes: 'Bytes',
    copy: 'Copy',
    position: (index: number, size: number, offset: string) =>
      `index ${index}, ${formatBytes(size)} of instructions at ${offset}`,
    loadFailed: "Couldn't load the function",
    what: 'the instructions',
    instructions: (index: number) => `Instructions of function ${index}`,
    localsUnreadable:
      "The local variables of this function can't be read. Use the Hex view to see its bytes.",
    failed: 'This function could not be disassembled.',
    failedHint: 'The rest of the module is not affected. “Bytes” shows the bytes of this function.',
    timedOut: (seconds: number) => `The disassembler timed out after ${seconds} s.`,
    gaveUp: (detail: string) => `The disassembler failed: ${detail.replace(/\.$/, '')}.`,
    stopped: (offset: string, reason: string) =>
      `Disassembly stopped near ${offset}: ${reason}. The instructions before that are shown.`,
    truncated: (lines: number, size: number) =>
      `Truncated: the first ${formatCount(lines)} lines of a function of ${formatBytes(size)}.`,
  },
  strings: {
    noun: 'string',
    type: 'Type',
    text: 'String',
    offset: 'Offset',
    bytes: 'Bytes',
    kinds: 'String type',
    all: 'All',
    /** A row's type, and the name of the filter. */
    kind: {
      address: ['URL', 'URLs'],
      ip: ['IP address', 'IP'],
      path: ['path', 'Paths'],
      base64: ['base64', 'Base64'],
      other: ['text', 'Text'],
    },
    filter: 'Filter strings',
    filterPlaceholder: 'Filter strings',
  },
  hex: {
    offset: 'Offset',
    bytes: 'Bytes',
    ascii: 'ASCII',
    section: 'Section',
    goToSection: 'Go to section',
    sectionPlaceholder: 'Section…',
    sectionAt: (name: string, offset: string) => `${name} at ${offset}`,
    previous: `Previous ${formatMiB(hexRange)}`,
    next: `Next ${formatMiB(hexRange)}`,
    range: (from: string, to: string) => `${from} to ${to}`,
    table: (from: string, to: string) => `Bytes ${from} to ${to}`,
    loadFailed: "Couldn't load the bytes",
    goTo: 'Go',
    notAnOffset: 'Enter an offset such as 0xb41c or 46108.',
    pastEnd: (last: string) => `The file ends at ${last}.`,
  },
  sections: {
    label: 'Sections',
    id: 'ID',
    name: 'Section',
    offset: 'Offset',
    bytes: 'Bytes',
    share: '% of file',
    custom: (name: string) => `${name} (custom)`,
  },
} as const
