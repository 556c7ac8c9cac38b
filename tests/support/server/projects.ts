import sharp from 'sharp'
import type { DeskClient } from '../desk/desk-client.ts'
import type { DeskProject, ProjectRow } from '../../../src/shared/contracts/desk-projects.ts'
import type { Image } from '../../../src/shared/contracts/images.ts'
import { noise } from '../fixtures/images.ts'
import type { Bytes } from '../fixtures/images.ts'

export interface SubmittedProject {
  title: string
  author?: string
  description?: string
  pictures?: readonly { bytes: Bytes; alt: string }[]
}

/** Submits the public form like a browser without scripts. */
export async function submitProject(
  registry: string,
  { title, author = 'Ada Okafor', description, pictures = [] }: SubmittedProject,
): Promise<void> {
  const form = new FormData()
  form.set('title', title)
  form.set('tagline', `${title}, in one sentence.`)
  form.set('author', author)
  form.set('description', description ?? `## What it does\n\n${title} reads a file and tells what it found.`)
  form.set('label1', 'Source')
  form.set('url1', 'https://example.com/source')
  for (const [index, { bytes, alt }] of pictures.entries()) {
    form.set(`picture${index + 1}`, new File([bytes], `${index + 1}.jpg`))
    form.set(`alt${index + 1}`, alt)
  }
  const reply = await fetch(`${registry}/showcase/submit`, { method: 'POST', body: form, redirect: 'manual' })
  if (reply.status !== 303) throw new Error(`submit: ${reply.status} ${await reply.text()}`)
}

/** The projects with a status, as listed by the desk. */
export async function listProjects(client: DeskClient, status: ProjectRow['status']): Promise<ProjectRow[]> {
  const reply = await client.get<{ items: ProjectRow[] }>(`/projects?status=${status}`)
  if (reply.status !== 200) throw new Error(`projects: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.items
}

/** Makes a decision in the desk. It takes effect immediately. */
export async function decideProject(
  client: DeskClient,
  id: number,
  action: 'approved' | 'rejected',
  reason = '',
): Promise<DeskProject> {
  const reply = await client.send<DeskProject>('POST', `/projects/${id}/decision`, { action, reason })
  if (reply.status !== 200) throw new Error(`decision: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Uploads an image to the media library, as the desk does. */
export async function addImage(client: DeskClient, bytes: Bytes): Promise<Image> {
  const form = new FormData()
  form.set('image', new File([bytes], 'image'))
  const reply = await fetch(`${client.origin}/desk/api/images`, {
    method: 'POST',
    headers: { authorization: client.authorization, origin: client.origin },
    body: form,
  })
  if (!reply.ok) throw new Error(`image: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as Image
}

/** A small photo with location data. */
export async function photoWithPlace(): Promise<Bytes> {
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 31/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 24/1 0/1',
  }
  return Buffer.from(await noise(320, 200).jpeg().withExif({ IFD3: place }).toBuffer())
}

/** An animation of three small frames. */
export async function smallAnimation(): Promise<Bytes> {
  const frames = await Promise.all([1, 2, 3].map(() => noise(40, 30).png().toBuffer()))
  return Buffer.from(
    await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  )
}
