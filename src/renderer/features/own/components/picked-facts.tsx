import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatBytes, plural } from '../../../lib/format.ts'
import type { PickedManifest, PickedModule } from '../picked-files.ts'
import classes from './file-pick.module.css'
import { ProblemList } from './problem-list.tsx'

/** What the picked manifest says, or what is wrong in it. */
export function ManifestFacts({ picked }: { picked: PickedManifest }) {
  const { manifest, problems } = picked
  if (manifest === null) {
    return (
      <Notice
        tone="bad"
        icon={IconAlertTriangle}
        role="alert"
        title={`The manifest has ${plural(problems.length, 'problem')}`}
      >
        <ProblemList problems={problems} />
        <p>Mend the file and choose it again.</p>
      </Notice>
    )
  }
  return (
    <Facts
      facts={[
        { label: 'Name', value: <code>{manifest.name}</code> },
        { label: 'Version', value: <code>{manifest.version}</code> },
        { label: 'Description', value: <PlainText text={manifest.description} /> },
        { label: 'Category', value: manifest.category },
        { label: 'License', value: <PlainText text={manifest.license} /> },
        { label: 'Examples', value: plural(manifest.examples.length, 'example') },
      ]}
    />
  )
}

/** Size and digest of the picked module, or why it is none. */
export function ModuleFacts({ picked: { problem, size, sha256 } }: { picked: PickedModule }) {
  if (problem !== null || sha256 === null) {
    return (
      <Notice tone="bad" icon={IconAlertTriangle} role="alert" title="This module cannot be submitted">
        <p>{problem}</p>
      </Notice>
    )
  }
  return (
    <Facts
      facts={[
        { label: 'Size', value: formatBytes(size) },
        {
          label: 'SHA-256',
          value: (
            <>
              <code className={classes['digest']}>{sha256}</code> <CopyIcon text={sha256} what="the digest" />
            </>
          ),
        },
      ]}
    />
  )
}
