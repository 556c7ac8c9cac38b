#!/usr/bin/env node
// Runs the built command line, after updating the build if the sources are available.
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { canBuild, isFresh, root } from './sources.mjs'

if (canBuild() && !isFresh()) {
  const { build } = await import('./build.mjs')
  await build()
}
// Missing in Node versions that are too old, which the command line reports itself.
nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'skilldock'))
await import('../out/main/cli.js')
