import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'
import { Facts } from '../../../components/facts.tsx'
import { MarkdownSource, MarkdownText } from '../../../components/text/markdown-text.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { fieldId } from './sections.ts'
import { texts } from '../review.texts.ts'
import classes from './documents.module.css'
import { Section } from '../../../components/section.tsx'

/** The manifest as submitted: the rendered readme, every field and every example. */
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
      title={texts.documents.title}
      beside={texts.documents.hint}
      note={
        <Button size="xs" aria-pressed={source} onClick={() => setSource(!source)}>
          {source ? texts.documents.showRendered : texts.documents.showSource}
        </Button>
      }
    >
      <div
        id={fieldId('readme')}
        className={classes['readme']}
        tabIndex={-1}
        role="group"
        aria-label={texts.documents.readme}
      >
        {source ? (
          <MarkdownSource source={manifest.readme} />
        ) : (
          <MarkdownText kind="readme" source={manifest.readme} what={texts.documents.readmeWhat} />
        )}
      </div>
      <h3 className={classes['part']}>{texts.documents.manifest(manifest.schemaVersion)}</h3>
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
        {texts.documents.examples(manifest.examples.length)}
      </h3>
      {manifest.examples.map(({ input, output }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes['example']} id={fieldId(`examples.${index}`)} tabIndex={-1}>
          <span className={classes['number']}>{index + 1}</span>
          <Block label={texts.documents.input} id={fieldId(`examples.${index}.input`)} text={input} />
          <Block label={texts.documents.output} id={fieldId(`examples.${index}.output`)} text={output} />
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
        <p data-text="note">{texts.documents.empty}</p>
      ) : (
        // A scrollable block must be reachable by keyboard.
        <pre tabIndex={0}>
          <PlainText text={text} />
        </pre>
      )}
    </figure>
  )
}
