// Prints the text of a release: its section of CHANGELOG.md, once the tag, package.json and the changelog agree.
//
//   node scripts/release-notes.mjs v0.1.0
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * The sections of a changelog, newest first.
 * @param {string} changelog
 */
export function readSections(changelog) {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      return { heading, text: lines.join('\n').trim() }
    })
}

/**
 * The section of the version that `tag` names. Throws if tag, version and changelog do not agree.
 * @param {string} tag such as `v0.1.0`
 * @param {string} version the version in package.json
 * @param {string} changelog
 */
export function releaseNotes(tag, version, changelog) {
  if (tag !== `v${version}`) {
    throw new Error(
      `The tag ${tag} does not match version ${version} in package.json. Tag the commit v${version}.`,
    )
  }
  const [unreleased, release] = readSections(changelog)
  if (unreleased?.heading !== '[Unreleased]' || unreleased.text !== '') {
    throw new Error(
      `CHANGELOG.md must begin with an empty section [Unreleased]. Move its text to [${version}].`,
    )
  }
  if (!release?.heading.startsWith(`[${version}] - `) || !/ - \d{4}-\d\d-\d\d$/.test(release.heading)) {
    throw new Error(
      `CHANGELOG.md has “${release?.heading ?? ''}” as its newest version. Write “[${version}] - YYYY-MM-DD”, with the date of the release.`,
    )
  }
  if (release.text === '') throw new Error(`CHANGELOG.md does not say what changes in version ${version}.`)
  return release.text
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const read = (/** @type {string} */ name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
  try {
    const { version } = JSON.parse(read('package.json'))
    console.log(releaseNotes(process.argv[2] ?? '', version, read('CHANGELOG.md')))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
