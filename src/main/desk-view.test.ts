import { beforeEach, expect, test, vi } from 'vitest'
import { createDeskView } from './desk-view.ts'
import type { DeskView } from './desk-view.ts'

const shown = vi.hoisted(() => [] as string[])

vi.mock('./window.ts', () => ({
  openDeskWindow: () => ({
    showDesk: (address: string) => void shown.push(address),
    showShell: () => void shown.push('shell'),
    focus() {},
    hide() {},
    isFocused: () => false,
    isOnDesk: () => false,
  }),
}))

const desk = 'http://127.0.0.1:4100'
let resumed: PromiseWithResolvers<boolean>

const attachedTo = (link: string): DeskView =>
  createDeskView({
    settings: { get: () => ({}) as never, change() {} },
    deskSession: { get: () => null, set() {}, resume: () => resumed.promise },
    services: null,
    attached: new URL(link),
    mayClose: () => true,
  })

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => {
  shown.length = 0
  resumed = Promise.withResolvers()
})

test('a page that is opened while the stored session is being checked is shown afterwards', async () => {
  const view = attachedTo(`${desk}/desk/`)
  view.open()
  view.open('/desk/release/upper-case/1.0.0')
  resumed.resolve(true)
  await settled()
  expect(shown).toEqual([`${desk}/desk/release/upper-case/1.0.0`])
  view.open('/desk/review')
  expect(shown.at(-1)).toBe(`${desk}/desk/review`)
})

test('a link that is opened while the session of the former one is being checked replaces it', async () => {
  const view = attachedTo(`${desk}/desk/`)
  view.open()
  view.attach(new URL('http://127.0.0.1:4200/desk/#code=abc'))
  resumed.resolve(true)
  await settled()
  expect(shown).toEqual(['http://127.0.0.1:4200/desk/#code=abc'])
})

test('a page with a query is shown with it, and after signing in with a link', async () => {
  const view = attachedTo(`${desk}/desk/`)
  view.open('/desk/agents/cost?agent=price-watch')
  resumed.resolve(true)
  await settled()
  expect(shown).toEqual([`${desk}/desk/agents/cost?agent=price-watch`])
  const withLink = attachedTo(`${desk}/desk/#code=abc`)
  withLink.open('/desk/agents/cost?agent=price-watch')
  expect(shown.at(-1)).toBe(`${desk}/desk/agents/cost?agent=price-watch#code=abc`)
})
