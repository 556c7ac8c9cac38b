import type { Plugin } from 'vite'

/** Puts an empty module in the place of one that a package only uses if it is there. */
export function leaveOut(module: string): Plugin {
  const nothing = `\0without-${module}`
  return {
    name: `leave-out-${module}`,
    enforce: 'pre',
    resolveId: (id) => (id === module ? nothing : null),
    load: (id) => (id === nothing ? 'export {}' : null),
  }
}
