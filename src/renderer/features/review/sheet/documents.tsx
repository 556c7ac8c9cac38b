import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SkillManifest } from '../../../../shared/contracts/releases.ts'
import { Facts } from '../../../components/facts.tsx'
import { MarkdownSource, MarkdownText } from '../../../components/text/markdown-text.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { plural } from '../../../lib/format.ts'
import { fieldId } from './sections.ts'
import classes from './documents.module.css'
import { Section } from '../../../components/section.tsx'

/** What the manifest says, as it was sent: the readme as the public will read it, every field, every example. */
export function Documents({ manifest }: { manifest: SkillManifest }) {
  const [source, setSource] = useState(false)
  const plain = (field: 'description' | 'inputs' | 'outputs' | 'license' | 'category' | 'pricing') => ({
    label: field,
    value: <PlainText text={manifest[field]} />,
    id: fieldId(field),
  })
  const code = (field: 'name' | 'version' | 'runtime' | 'entrypoint') => ({
    label: field,
    value: <code>{manifest[field]}</code>,
    id: fieldId(field),
  })
  return (
    <Section
      id="documents"
      title="Documents"
      beside="as the public will read them"
      note={
        <Button size="xs" aria-pressed={source} onClick={() => setSource(!source)}>
          {source ? 'Show as it reads' : 'Show its source'}
        </Button>
      }
    >
      <div
        id={fieldId('readme')}
        className={classes['readme']}
        tabIndex={-1}
        role="group"
        aria-label="Readme"
      >
        {source ? (
          <MarkdownSource source={manifest.readme} />
        ) : (
          <MarkdownText kind="readme" source={manifest.readme} what="the readme" />
        )}
      </div>
      <h3 className={classes['part']}>Manifest of schema {manifest.schemaVersion}</h3>
      <Facts
        facts={[
          plain('description'),
          plain('inputs'),
          plain('outputs'),
          plain('license'),
          plain('category'),
          code('name'),
          code('version'),
          code('runtime'),
          code('entrypoint'),
          plain('pricing'),
        ]}
      />
      <h3 className={classes['part']} id={fieldId('examples')} tabIndex={-1}>
        {plural(manifest.examples.length, 'example')}
      </h3>
      {manifest.examples.map(({ input, output }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes['example']} id={fieldId(`examples.${index}`)} tabIndex={-1}>
          <span className={classes['number']}>{index + 1}</span>
          <Block label="input" id={fieldId(`examples.${index}.input`)} text={input} />
          <Block label="output" id={fieldId(`examples.${index}.output`)} text={output} />
        </div>
      ))}
    </Section>
  )
}

function Block({ label, id, text }: { label: string; id: string; text: string }) {
  return (
    <figure className={classes['block']} id={id} tabIndex={-1}>
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
