import { expect, test } from 'vitest'
import { drawFlameGraph, readProfile } from './flame-graph.ts'
import type { Profile } from './flame-graph.ts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
  children,
})

const profile: Profile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 4, 6]),
    node(2, '(idle)', ''),
    node(3, 'answer', 'file:///out/main/server.js', [5]),
    node(4, 'answer', 'file:///out/main/server.js', [7]),
    node(5, 'write', 'node:net'),
    node(6, '(garbage collector)', ''),
    node(7, 'write', 'node:net'),
  ],
  samples: [2, 3, 5, 7, 6],
  timeDeltas: [1000, 10, 20, 50, 20],
}

test('calls of the same name are one frame, the longest first, and waiting is not counted', () => {
  expect(readProfile(profile)).toEqual({
    name: 'all',
    script: '',
    total: 100,
    callees: [
      {
        name: 'answer',
        script: 'server.js',
        total: 80,
        callees: [{ name: 'write', script: 'node:net', total: 70, callees: [] }],
      },
      { name: '(garbage collector)', script: '', total: 20, callees: [] },
    ],
  })
})

test('the width of a frame is its share, and its tooltip names it', () => {
  const svg = drawFlameGraph(readProfile(profile))
  expect(svg).toContain('<title>answer (server.js), 80.0 %</title><rect x="0.0" y="18" width="959.5"')
  expect(svg).toContain('<title>write (node:net), 70.0 %</title><rect x="0.0" y="36" width="839.5"')
  expect(svg).toContain('<rect x="960.0" y="18" width="239.5"')
})
