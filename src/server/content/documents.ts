import type { ProjectContent } from '../../shared/contracts/content.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { installLine } from '../../shared/terminal-lines.ts'
import { asText, escapeMarkdown, fenced, frontMatter, markdownLink } from './markdown-text.ts'
import type { MarkdownReader } from './markdown-reader.ts'
import { namedPictures } from './named-pictures.ts'

/** Where things are, where the copies of pictures are (null for one that is not there), and who reads what is written. */
export interface DocumentContext {
  publicUrl: string
  imageUrl(sha256: string): string | null
  rewrite: MarkdownReader['rewrite']
}

export interface PostDocument {
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
    await rewrite(post.markdown, { pictures: namedPictures(post.markdown, imageUrl) }),
  ])
}

/** An approved showcase project (section 4.2). */
export async function projectDocument(
  project: ProjectContent & { updatedAt: string },
  { publicUrl, imageUrl, rewrite }: DocumentContext,
): Promise<string> {
  const pictures = project.pictures.flatMap(({ sha256, alt }) => {
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
    ...(pictures.length === 0 ? [] : ['## Pictures', ...pictures]),
    // At the end: an open fence or comment in it swallows nothing of the document.
    '## Description',
    await rewrite(project.markdown, {
      headingShift: 2,
      pictures: namedPictures(project.markdown, imageUrl),
    }),
  ])
}

/** The whole documentation of an approved release (section 4.2). */
export async function releaseDocument(
  release: RegistryVersion,
  selfApproved: boolean,
  { publicUrl, rewrite }: Pick<DocumentContext, 'publicUrl' | 'rewrite'>,
): Promise<string> {
  const { name, version, manifest, sha256, size } = release
  const place = `${publicUrl}/api/marketplace/skills/${name}/${version}`
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
      runtime: manifest.runtime,
      entrypoint: manifest.entrypoint,
      pricing: manifest.pricing,
      sha256,
      size,
      submitted: release.createdAt,
      url: `${publicUrl}/skills/${name}/${version}`,
      package: `${place}/package`,
      manifest: `${place}/manifest`,
    }),
    `# ${name} ${version}`,
    escapeMarkdown(manifest.description),
    '## Install',
    fenced(`skill install ${name}@${version}`, 'sh'),
    'Without `skill`, the client of this registry, install it first. It needs Node 20 or newer:',
    fenced(installLine(publicUrl), 'sh'),
    'Or download the module, and use no other bytes than these:',
    fenced(`curl -fsSLo ${file} ${place}/package\necho '${sha256}  ${file}' | sha256sum --check`, 'sh'),
    '## Inputs',
    asText(manifest.inputs),
    '## Outputs',
    asText(manifest.outputs),
    '## Examples',
    ...examples,
    ...(release.reviewReason === null ? [] : ['## Review', asText(release.reviewReason)]),
    ...(selfApproved ? ['Approved by its own publisher.'] : []),
    // At the end: an open fence or comment in it swallows nothing of the document.
    '## Readme',
    await rewrite(manifest.readme, { headingShift: 2 }),
  ])
}

/** A page of the catalog (section 4.2); `next` is the offset of the next page, null on the last. */
export function catalogDocument(
  releases: readonly RegistryVersion[],
  { offset, next, publicUrl }: { offset: number; next: number | null; publicUrl: string },
): string {
  const rows = releases.map(({ name, version, manifest, publisher }) => {
    const link = markdownLink(
      `${name} ${version}`,
      `${publicUrl}/docs-markdown/marketplace/${name}/${version}.md`,
    )
    const about = `${manifest.category}, by ${escapeMarkdown(publisher)}`
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
    rows.length === 0 ? 'There are no releases here.' : rows.join('\n'),
    ...(next === null
      ? []
      : [markdownLink('Next page', `${publicUrl}/docs-markdown/site/marketplace.md?offset=${next}`)]),
  ])
}

/** What language models are told (llmstxt.org). */
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
        'Approved releases, 50 a page, each with a link to its documentation as Markdown',
      ),
    ]),
    ...section('Interface', [
      row(
        'Client',
        '/install.sh',
        'The script that installs `skill`, which finds, installs, runs, checks and publishes skills in a terminal',
      ),
      row('OpenAPI description', '/openapi.json', 'Every endpoint of this server'),
      row('Sitemap', '/api/sitemap.xml', 'Every public page'),
      row('Feed', '/api/blog/feed.xml', 'The newest posts'),
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
