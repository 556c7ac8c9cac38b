#!/usr/bin/env node
// Runs the built command line, which is first brought up to date where the sources are at hand.
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { canBuild, isFresh, root } from './sources.mjs'

if (canBuild() && !isFresh()) {
  const { build } = await import('./build.mjs')
  await build()
}
// Not there on a Node that is too old; the command line itself says so.
nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'skilldock'))
await import('../out/main/cli.js')
