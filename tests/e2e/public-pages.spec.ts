import { noise } from '../support/fixtures/images.ts'
import { skipWithout } from '../support/programs.ts'
import { decideProject, projectContent, publishPost, submitProject } from '../support/server/content.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

/** Uploads an image to the media library. */
async function addImage(desk: Desk, subject: string): Promise<string> {
  const client = await desk.client(subject)
  const form = new FormData()
  form.set('image', new File([Uint8Array.from(await noise(1700, 1100).jpeg().toBuffer())], 'a.jpg'))
  const response = await fetch(`${desk.dashboard}/desk/api/images`, {
    method: 'POST',
    headers: { authorization: client.authorization, origin: client.origin },
    body: form,
  })
  return ((await response.json()) as { sha256: string }).sha256
}

/** Creates content of every kind and returns the paths of all pages. */
async function fill(desk: Desk): Promise<string[]> {
  const first = await desk.submit({ name: 'csv-to-json', version: '1.0.0' })
  await desk.decide(first, 'approved')
  const second = await desk.submit(
    {
      name: 'csv-to-json',
      version: '1.1.0',
      readme: '# csv-to-json\n\n## Use\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sh\nrun it\n```',
    },
    undefined,
    await importingModule('fd_read', 'fd_write', 'path_open', 'clock_time_get'),
  )
  await desk.decide(second, 'approved')
  const sha256 = await addImage(desk, 'ilse')
  const client = await desk.client('ilse')
  const cover = { sha256, alt: 'Noise' }
  const markdown = `## Head\n\nA [link](https://example.com) and \`code\`.\n\n> Quoted.\n\n![chart](image:${sha256})\n\n### Below\n\n- one\n- two`
  await publishPost(client, { slug: 'first', title: 'First post', tags: ['news'], cover, markdown })
  await publishPost(client, { slug: 'second', title: 'Second post' })
  const links = [{ label: 'Source', url: 'https://example.com/source' }]
  const project = await submitProject(desk, { title: 'Town', pictures: [cover, cover], links })
  await decideProject(client, project)
  return [
    '/',
    '/skills',
    '/skills?q=nothing-like-it',
    '/skills?category=Transformers',
    '/skills/csv-to-json/1.0.0',
    '/skills/csv-to-json/1.1.0',
    '/publishers/3',
    '/blog',
    '/blog/first',
    '/showcase',
    '/showcase/town',
    '/showcase/submit',
    '/showcase/submit?sent=1',
    '/nothing-here',
  ]
}

test('axe finds nothing on any public page in both themes, 1280 and 390 wide, and none is wider than a window of 320', async ({
  desk,
  page,
}) => {
  test.slow()
  const found: string[] = []
  for (const path of await fill(desk)) {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(desk.registry + path)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      found.push(...(await violations(page, `${path}, ${width}`)))
    }
  }
  expect(found).toEqual([])
})

test('names and titles of the greatest length without a space widen no page', async ({ desk, page }) => {
  const name = 'n'.repeat(64)
  const publisher = await desk.token({ subject: 'wordy', name: 'P'.repeat(100) })
  await desk.decide(await desk.submit({ name, description: 'D'.repeat(240) }, publisher), 'approved')
  const client = await desk.client('ilse')
  const post = { title: 'T'.repeat(160), slug: 'long', summary: 'S'.repeat(300), tags: ['t'.repeat(32)] }
  await publishPost(client, post)
  const [title, tagline, author] = ['T'.repeat(160), 'L'.repeat(200), 'A'.repeat(100)]
  const links = [{ label: 'L'.repeat(60), url: 'https://example.com/source' }]
  await decideProject(client, await submitProject(desk, { title, tagline, author, links }))
  await page.goto(`${desk.registry}/skills`)
  const [skill] = await page
    .locator('.skill a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  await page.goto(`${desk.registry}${skill}`)
  const byline = await page.locator('.facts a[href^="/publishers/"]').getAttribute('href')
  await page.goto(`${desk.registry}/showcase`)
  const project = await page.locator('.tile a').first().getAttribute('href')
  const paths = [
    '/',
    '/skills',
    skill,
    byline,
    `/skills?q=${'q'.repeat(100)}`,
    '/blog',
    '/blog/long',
    '/showcase',
    project,
  ]
  for (const path of paths) {
    await page.goto(`${desk.registry}${path}`)
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${path}, ${width}`).toBeLessThanOrEqual(width)
    }
  }
})

test('axe finds nothing in a rejected form, and the form is submitted once it is valid', async ({
  desk,
  browser,
}) => {
  const context = await browser.newContext({ colorScheme: 'dark', javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${desk.registry}/showcase`)
  await page.getByRole('link', { name: 'Submit a project' }).click()
  await page.getByLabel('Title').fill('Sent from a browser')
  await page.getByLabel('Tagline').fill('A sentence.')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Description').fill('A description that is long enough.')
  const image = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await noise(200, 150).jpeg().toBuffer() }
  await page.getByLabel('Image 1').setInputFiles(image)
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await expect(page).toHaveTitle(/^Error: /)
  await expect(page.getByRole('alert')).toContainText('Add alt text for image 1.')
  await expect(page.getByLabel('Title')).toHaveValue('Sent from a browser')
  const keptImage = page.locator('.kept img')
  await expect(keptImage).toHaveJSProperty('naturalWidth', 200)
  await page.getByLabel('Alt text').first().fill('A room')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your project was submitted')
  await context.close()

  const scripted = await (await browser.newContext()).newPage()
  await scripted.goto(`${desk.registry}/showcase/submit`)
  await scripted.evaluate(() => {
    for (const field of document.querySelectorAll('[required]')) field.removeAttribute('required')
  })
  await scripted.getByRole('button', { name: 'Submit for review' }).click()
  await expect(scripted.getByRole('alert')).toBeVisible()
  expect(await violations(scripted, 'refused')).toEqual([])
  await scripted.context().close()
})

test('the first Tab stops are the skip link and the navigation', async ({ desk, page }) => {
  await page.goto(`${desk.registry}/skills`)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
})

const attacks = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>',
  '<style>body { display: none }</style><div style="position:fixed;inset:0">over</div>',
  '[click](javascript:window.hacked=1)',
  '[click](JaVaScRiPt&colon;window.hacked=1)',
  '[click](java\nscript:window.hacked=1)',
  '[click](data:text/html,<script>window.hacked=1</script>)',
  '[click](vbscript:window.hacked=1)',
  '![x](javascript:window.hacked=1)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x" onerror="window.hacked=1](https://attacker.example/x.png)',
  '![x](image:../../etc/passwd)',
  '[x](https://example.com/" onmouseover="window.hacked=1)',
  '<javascript:window.hacked=1>',
  '<a href="javascript:window.hacked=1">click</a>',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hacked=1">',
  '<form action="https://attacker.example"><input name=q><button>Go</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://attacker.example">',
  '<base href="https://attacker.example/">',
  '</script><script>window.hacked=1</script>',
  '```html"><script>window.hacked=1</script>\nx\n```',
  '| <img src=x onerror=window.hacked=1> |\n|---|\n| [x](javascript:window.hacked=1) |',
]

test('submitted text cannot run scripts, apply styles, embed frames or load anything', async ({
  desk,
  browser,
}) => {
  const markdown = attacks.join('\n\n')
  const line = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
  const id = await desk.submit({
    name: 'attack',
    description: `Describes ${line}`,
    readme: markdown,
    inputs: `Takes ${line}`,
    outputs: `Gives ${line}`,
    examples: [{ input: `\n${line}</pre>`, output: line }],
    license: line,
  })
  await desk.decide(id, 'approved', `Looked at ${line}`)
  const client = await desk.client('ilse')
  await publishPost(client, { slug: 'attack', title: line, summary: line, markdown })
  const content = projectContent({ title: `Attack ${line}`, tagline: line, author: line, markdown })
  // As much as the form accepts.
  const links = [{ label: line.slice(0, 60), url: 'https://example.com/%22%3E%3Cscript%3E' }]
  const project = await decideProject(client, await submitProject(desk, { ...content, links }))

  const context = await browser.newContext()
  const page = await context.newPage()
  const problems: string[] = []
  page.on('dialog', (dialog) => problems.push(dialog.message()))
  page.on('console', (message) => problems.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(desk.registry)) problems.push(request.url())
  })
  for (const path of [
    '/skills/attack/1.0.0',
    '/skills',
    '/blog/attack',
    '/blog',
    `/showcase/${project.slug}`,
    '/showcase',
    '/',
    `/skills?q=${encodeURIComponent(line)}`,
  ]) {
    await page.goto(desk.registry + path)
    const seen = await page.evaluate(() => ({
      hacked: 'hacked' in window,
      elements: document.querySelectorAll(
        'main :is(script, style, iframe, object, embed, base, meta, math, svg:not(.icon), [style], [onerror], [onload], [onmouseover])',
      ).length,
      forms: document.querySelectorAll('main form:not(.search):not(.sheet)').length,
      schemes: [...document.querySelectorAll('a')]
        .map(({ protocol }) => protocol)
        .filter((one) => !/^https?:$/.test(one)),
      images: [...document.images].filter(({ src }) => !src.startsWith(location.origin)).length,
    }))
    expect(seen, path).toEqual({ hacked: false, elements: 0, forms: 0, schemes: [], images: 0 })
  }
  expect(problems).toEqual([])

  await page.goto(`${desk.registry}/skills/attack/1.0.0`)
  for (const link of await page.locator('section.prose a').all()) {
    await expect(link).toHaveAttribute('rel', /nofollow/)
  }
  await expect(page.getByRole('group', { name: 'Example, standard input' })).toHaveText(`\n${line}</pre>`, {
    useInnerText: true,
  })

  // If anything passes the sanitizer, the content security policy still blocks it.
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.hacked = 1'
    document.body.append(script)
    const image = document.createElement('img')
    image.src = 'https://attacker.example/x.png'
    document.body.append(image)
  })
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(problems.filter((one) => one.includes('Content Security Policy')).length).toBeGreaterThan(1)
  await context.close()
})
