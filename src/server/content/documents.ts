import type { ProjectContent } from '../../shared/contracts/content.ts'
import type { Owner } from '../../shared/contracts/owners.ts'
import type { Deprecation } from '../../shared/contracts/release-states.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { installLine } from '../../shared/terminal-lines.ts'
import {
  asText,
  escapeMarkdown,
  fenced,
  frontMatter,
  markdownLink,
  untrustedNotice,
} from './markdown-text.ts'
import type { MarkdownReader } from './markdown-reader.ts'
import { findReferencedImages } from './referenced-images.ts'

export interface DocumentContext {
  publicUrl: string
  /** The URL of an image's rendition; null if the image doesn't exist. */
  imageUrl(sha256: string): string | null
  rewrite: MarkdownReader['rewrite']
}

interface PostDocument {
  slug: string
  title: string
  summary: string
  markdown: string
  tags: readonly string[]
  cover: { sha256: string; alt: string } | null
  author: string
  publishedAt: string
  updatedAt: string
}

const joined = (blocks: readonly string[]): string =>
  `${blocks
    .map((block) => block.trimEnd())
    .filter((block) => block !== '')
    .join('\n\n')}\n`

/** A published post (section 4.2). */
export async function postDocument(
  post: PostDocument,
  { publicUrl, imageUrl, rewrite }: DocumentContext,
): Promise<string> {
  const cover = post.cover === null ? null : imageUrl(post.cover.sha256)
  return joined([
    frontMatter({
      title: post.title,
      summary: post.summary,
      author: post.author,
      published: post.publishedAt,
      updated: post.updatedAt,
      tags: post.tags,
      url: `${publicUrl}/blog/${post.slug}`,
      cover,
      cover_alt: cover === null ? null : post.cover?.alt,
    }),
    `# ${escapeMarkdown(post.title)}`,
    await rewrite(post.markdown, { images: findReferencedImages(post.markdown, imageUrl) }),
  ])
}

/** An approved showcase project (section 4.2). */
export async function projectDocument(
  project: ProjectContent & { updatedAt: string },
  { publicUrl, imageUrl, rewrite }: DocumentContext,
): Promise<string> {
  const images = project.pictures.flatMap(({ sha256, alt }) => {
    const address = imageUrl(sha256)
    return address === null ? [] : [`![${escapeMarkdown(alt)}](${address})`]
  })
  const links = project.links.map(({ label, url }) => `- ${markdownLink(label, url)}`)
  return joined([
    frontMatter({
      title: project.title,
      tagline: project.tagline,
      author: project.author,
      updated: project.updatedAt,
      url: `${publicUrl}/showcase/${project.slug}`,
    }),
    `# ${escapeMarkdown(project.title)}`,
    escapeMarkdown(project.tagline),
    `By ${escapeMarkdown(project.author)}`,
    ...(links.length === 0 ? [] : ['## Links', links.join('\n')]),
    ...(images.length === 0 ? [] : ['## Images', ...images]),
    // At the end, so that an unclosed fence or comment can't swallow other parts of the document.
    '## Description',
    await rewrite(project.markdown, {
      headingShift: 2,
      images: findReferencedImages(project.markdown, imageUrl),
    }),
  ])
}

/** The complete documentation of an approved release (section 4.2). */
export async function releaseDocument(
  release: RegistryVersion,
  {
    owners,
    selfApproved,
    deprecation,
  }: { owners: readonly Owner[]; selfApproved: boolean; deprecation: Deprecation | null },
  { publicUrl, rewrite }: Pick<DocumentContext, 'publicUrl' | 'rewrite'>,
): Promise<string> {
  const { name, version, manifest, sha256, size } = release
  const releaseUrl = `${publicUrl}/api/marketplace/skills/${name}/${version}`
  const examples = manifest.examples.flatMap(({ input, output }, index) => [
    `### Example ${index + 1}`,
    'Input:',
    fenced(input, 'text'),
    'Output:',
    fenced(output, 'text'),
  ])
  const file = `${name}-${version}.wasm`
  return joined([
    frontMatter({
      name,
      version,
      description: manifest.description,
      category: manifest.category,
      license: manifest.license,
      publisher: release.publisher,
      owners: owners.map(({ publisher }) => publisher).join(', '),
      runtime: manifest.runtime,
      entrypoint: manifest.entrypoint,
      pricing: manifest.pricing,
      sha256,
      size,
      submitted: release.createdAt,
      url: `${publicUrl}/skills/${name}/${version}`,
      package: `${releaseUrl}/package`,
      manifest: `${releaseUrl}/manifest`,
    }),
    `# ${name} ${version}`,
    ...(deprecation === null ? [] : [`> ${deprecationText(deprecation)}`]),
    escapeMarkdown(manifest.description),
    '## Install',
    fenced(`skill install ${name}@${version}`, 'sh'),
    'Requires `skill`, the client of this registry. To install it (requires Node 20 or newer):',
    fenced(installLine(publicUrl), 'sh'),
    'Or download the module and check its digest:',
    fenced(`curl -fsSLo ${file} ${releaseUrl}/package\necho '${sha256}  ${file}' | sha256sum --check`, 'sh'),
    '## Inputs',
    asText(manifest.inputs),
    '## Outputs',
    asText(manifest.outputs),
    '## Examples',
    ...examples,
    ...(release.reviewReason === null ? [] : ['## Review', asText(release.reviewReason)]),
    ...(selfApproved ? ['Self-approved by its publisher.'] : []),
    // At the end, so that an unclosed fence or comment can't swallow other parts of the document.
    '## Readme',
    await rewrite(manifest.readme, { headingShift: 2 }),
  ])
}

function deprecationText({ reason, successor }: Deprecation): string {
  return `Deprecated: ${escapeMarkdown(reason)}${successor === null ? '' : ` Use ${successor} instead.`}`
}

/**
 * `SKILL.md` of the Agent Skills format: the registry tells an agent how to install and run a skill. Texts of the publisher are
 * quoted as data, and the readme is left out, because an agent would follow its instructions.
 */
export function agentSkillDocument(
  { name, version, manifest, sha256 }: RegistryVersion,
  deprecation: Deprecation | null,
  publicUrl: string,
): string {
  return joined([
    frontMatter({
      name,
      description: agentDescription(manifest.description),
      license: manifest.license,
      compatibility: 'Requires Node 20 or newer, and network access to the registry to install',
    }),
    `# ${name}`,
    `A WebAssembly command that a person at ${publicUrl} has reviewed and approved. It reads standard input, writes standard output, and has no access to files, the network or the environment.`,
    ...(deprecation === null ? [] : [`> ${deprecationText(deprecation)}`]),
    '## Use',
    `Install it once in the folder of the project, then run it with the input on standard input. Exit code 0 means success. \`skill verify\` checks that the module is the approved one, whose SHA-256 is \`${sha256}\`.`,
    fenced(`skill install ${name}@${version} --registry ${publicUrl}\nskill run ${name} < input.txt`, 'sh'),
    'If `skill` is not installed, ask before you install it:',
    fenced(installLine(publicUrl), 'sh'),
    '## Input and output',
    untrustedNotice,
    'Input:',
    fenced(manifest.inputs, 'text'),
    'Output:',
    fenced(manifest.outputs, 'text'),
    ...manifest.examples
      .slice(0, 1)
      .flatMap(({ input, output }) => ['## Example', fenced(input, 'text'), 'gives', fenced(output, 'text')]),
  ])
}

/** Characters that the format allows. */
const maxAgentDescription = 1024

export const agentDescription = (description: string): string =>
  [...description].slice(0, maxAgentDescription).join('')

/** A page of the catalog (section 4.2); `next` is the query of the next page, null on the last. */
export function catalogDocument(
  releases: readonly (RegistryVersion & { isDeprecated: boolean })[],
  { offset, next, publicUrl }: { offset: number; next: string | null; publicUrl: string },
): string {
  const rows = releases.map(({ name, version, manifest, publisher, isDeprecated }) => {
    const link = markdownLink(
      `${name} ${version}`,
      `${publicUrl}/docs-markdown/marketplace/${name}/${version}.md`,
    )
    const about = `${manifest.category}, by ${escapeMarkdown(publisher)}${isDeprecated ? ', deprecated' : ''}`
    return `- ${link} (${about}): ${escapeMarkdown(manifest.description)}`
  })
  return joined([
    frontMatter({
      title: 'Skill catalog',
      description: 'Approved releases, newest submission first.',
      offset,
      url: `${publicUrl}/skills`,
    }),
    '# Skill catalog',
    rows.length === 0 ? 'There are no releases on this page.' : rows.join('\n'),
    ...(next === null
      ? []
      : [markdownLink('Next page', `${publicUrl}/docs-markdown/site/marketplace.md${next}`)]),
  ])
}

/** llms.txt (llmstxt.org). */
export function guide({
  posts,
  projects,
  publicUrl,
}: {
  posts: readonly Pick<PostDocument, 'slug' | 'title' | 'summary'>[]
  projects: readonly Pick<ProjectContent, 'slug' | 'title' | 'tagline'>[]
  publicUrl: string
}): string {
  const row = (label: string, path: string, about: string): string =>
    `- ${markdownLink(label, publicUrl + path)}${about === '' ? '' : `: ${escapeMarkdown(about)}`}`
  const section = (title: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`## ${title}`, rows.join('\n')]
  return joined([
    '# Skilldock',
    '> A registry of free WASI preview 1 command modules, each reviewed by a person before it is public.',
    ...section('Skills', [
      row(
        'Catalog',
        '/docs-markdown/site/marketplace.md',
        'Approved releases, 50 per page, each with a link to its documentation as Markdown',
      ),
    ]),
    ...section('API', [
      row(
        'Client',
        '/install.sh',
        'Installs `skill`, the command-line client for finding, installing, running, checking and publishing skills',
      ),
      row('OpenAPI description', '/openapi.json', 'Every endpoint of this server'),
      row('Sitemap', '/api/sitemap.xml', 'Every public page'),
      row('Feed', '/api/blog/feed.xml', 'The latest posts'),
    ]),
    ...section(
      'Blog',
      posts.map(({ slug, title, summary }) => row(title, `/docs-markdown/blog/${slug}.md`, summary)),
    ),
    ...section(
      'Showcase',
      projects.map(({ slug, title, tagline }) => row(title, `/docs-markdown/showcase/${slug}.md`, tagline)),
    ),
  ])
}
