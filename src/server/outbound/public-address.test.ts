import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('public addresses', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
  ])('include %s', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
  ])('do not include %s', (address) => expect(isPublicAddress(address)).toBe(false))
})
