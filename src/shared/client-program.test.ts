import { expect, test } from 'vitest'
import { clientHeader, versionOfClient, withRegistry } from './client-program.ts'

const built = `${clientHeader('1.2.3')}\nprogram()\n`

test('a built client contains its version and accepts the address of a registry', () => {
  expect(versionOfClient(built)).toBe('1.2.3')
  const served = withRegistry(built, 'https://skills.example/"quoted"')
  expect(served).toBe(
    built.replace("const servedBy = ''", String.raw`const servedBy = "https://skills.example/\"quoted\""`),
  )
  expect(versionOfClient(served)).toBe('1.2.3')
})

test('any other file is rejected', () => {
  for (const text of ['', '#!/usr/bin/env node\n', '#!/bin/sh\n# skill 1.2.3,\n', built.slice(20)]) {
    expect(() => versionOfClient(text)).toThrow('is not a built client')
    expect(() => withRegistry(text, 'https://skills.example')).toThrow('no place for a registry address')
  }
})

test('the registry address can be set only once', () => {
  const served = withRegistry(built, 'https://skills.example')
  expect(() => withRegistry(served, 'https://other.example')).toThrow('no place for a registry address')
})
