import { expect, test } from 'vitest'
import { clientHeader, versionOfClient, withRegistry } from './client-program.ts'

const built = `${clientHeader('1.2.3')}\nprogram()\n`

test('a built client tells its version, and takes the address of a registry', () => {
  expect(versionOfClient(built)).toBe('1.2.3')
  const served = withRegistry(built, 'https://skills.example/"quoted"')
  expect(served).toBe(
    built.replace("const servedBy = ''", String.raw`const servedBy = "https://skills.example/\"quoted\""`),
  )
  expect(versionOfClient(served)).toBe('1.2.3')
})

test('another file is no client', () => {
  for (const text of ['', '#!/usr/bin/env node\n', '#!/bin/sh\n# skill 1.2.3,\n', built.slice(20)]) {
    expect(() => versionOfClient(text)).toThrow('does not start as one that was built here')
    expect(() => withRegistry(text, 'https://skills.example')).toThrow('no place for an address')
  }
})

test('a client belongs to one registry: it cannot be given away twice', () => {
  const served = withRegistry(built, 'https://skills.example')
  expect(() => withRegistry(served, 'https://other.example')).toThrow('no place for an address')
})
