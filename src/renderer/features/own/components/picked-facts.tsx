import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatBytes } from '../../../lib/format.ts'
import type { PickedManifest, PickedModule } from '../picked-files.ts'
import { texts } from '../own.texts.ts'
import classes from './file-pick.module.css'
import { ProblemList } from './problem-list.tsx'

const { facts } = texts.submission

/** The contents of the picked manifest, or its problems. */
export function ManifestFacts({ picked }: { picked: PickedManifest }) {
  const { manifest, problems } = picked
  if (manifest === null) {
    return (
      <Notice
        tone="bad"
        icon={IconAlertTriangle}
        role="alert"
        title={texts.submission.manifestProblems(problems.length)}
      >
        <ProblemList problems={problems} />
        <p>{texts.submission.fixFile}</p>
      </Notice>
    )
  }
  return (
    <Facts
      facts={[
        { label: facts.name, value: <code>{manifest.name}</code> },
        { label: facts.version, value: <code>{manifest.version}</code> },
        { label: facts.description, value: <PlainText text={manifest.description} /> },
        { label: facts.category, value: manifest.category },
        { label: facts.license, value: <PlainText text={manifest.license} /> },
        { label: facts.examples, value: facts.exampleCount(manifest.examples.length) },
      ]}
    />
  )
}

/** Size and digest of the picked module, or why it is not a module. */
export function ModuleFacts({ picked: { problem, size, sha256 } }: { picked: PickedModule }) {
  if (problem !== null || sha256 === null) {
    return (
      <Notice tone="bad" icon={IconAlertTriangle} role="alert" title={texts.submission.moduleProblem}>
        <p>{problem}</p>
      </Notice>
    )
  }
  return (
    <Facts
      facts={[
        { label: facts.size, value: formatBytes(size) },
        {
          label: facts.digest,
          value: (
            <>
              <code className={classes['digest']}>{sha256}</code>{' '}
              <CopyIcon text={sha256} what={facts.copyDigest} />
            </>
          ),
        },
      ]}
    />
  )
}
