import { trimCharacters } from '../../shared/trim-characters.ts'

/** A sign-in name made from a person's name: lower case, without accents, words joined by dots. */
export function signInNameOf(name: string): string {
  const subject = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '.')
  return trimCharacters(subject, '.').slice(0, 64)
}
