import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { SkillManifest } from '../../../../shared/contracts/releases.ts'
import { Bones } from '../../../components/bones.tsx'
import { Facts } from '../../../components/facts.tsx'
import { PlainText } from '../../../components/plain-text.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './documents.module.css'
import { Section } from './section.tsx'

// The reader of Markdown comes when the first readme is shown, not with the desk.
const Readme = lazy(async () => ({ default: (await import('./readme.tsx')).Readme }))

/** Every field of the manifest as it was sent. */
export function Documents({ manifest }: { manifest: SkillManifest }) {
  const [source, setSource] = useState(false)
  const text = (value: string) => <PlainText text={value} />
  return (
    <>
      <Section id="documents" title="Documents" note={`manifest of schema ${manifest.schemaVersion}`}>
        <Facts
          facts={[
            { label: 'description', value: text(manifest.description) },
            { label: 'inputs', value: text(manifest.inputs) },
            { label: 'outputs', value: text(manifest.outputs) },
            { label: 'license', value: text(manifest.license) },
            { label: 'category', value: manifest.category },
            { label: 'name', value: <code>{manifest.name}</code> },
            { label: 'version', value: <code>{manifest.version}</code> },
            { label: 'runtime', value: <code>{manifest.runtime}</code> },
            { label: 'entrypoint', value: <code>{manifest.entrypoint}</code> },
            { label: 'pricing', value: manifest.pricing },
          ]}
        />
      </Section>
      <Section title="Examples" note={`${plural(manifest.examples.length, 'example')}, not run`}>
        {manifest.examples.map(({ input, output }, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={classes['example']}>
            <span className={classes['number']}>{index + 1}</span>
            <Block label="input" text={input} />
            <Block label="output" text={output} />
          </div>
        ))}
      </Section>
      <Section
        title="Readme"
        note={
          <Button size="xs" aria-pressed={source} onClick={() => setSource(!source)}>
            {source ? 'Show as it reads' : 'Show its source'}
          </Button>
        }
      >
        {source ? (
          <pre className={classes['source']} tabIndex={0}>
            <PlainText text={manifest.readme} />
          </pre>
        ) : (
          <Suspense fallback={<Bones rows={5} what="the readme" />}>
            <Readme source={manifest.readme} />
          </Suspense>
        )}
      </Section>
    </>
  )
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <figure className={classes['block']}>
      <figcaption>{label}</figcaption>
      {text === '' ? (
        <p className={classes['nothing']}>empty</p>
      ) : (
        // A block that scrolls must be reachable by keys.
        <pre tabIndex={0}>
          <PlainText text={text} />
        </pre>
      )}
    </figure>
  )
}
