import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { projectLimits as limits } from '../../../../shared/contracts/content.ts'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { useFocusAfterChange } from '../../../lib/keys/use-focus.ts'
import { texts } from '../showcase.texts.ts'
import classes from './project-editor.module.css'

const { fields } = texts

type Links = ProjectContent['links']

interface Props {
  links: Links
  problems: ReadonlyMap<string, string>
  attempted: boolean
  onLinks: (links: Links) => void
}

/** The links of a project: a label and a URL each. */
export function LinkFields({ links, problems, attempted, onLinks }: Props) {
  const { root, focusNext } = useFocusAfterChange()
  const change = (index: number, part: Partial<Links[number]>): void =>
    onLinks(links.map((link, at) => (at === index ? { ...link, ...part } : link)))
  const isFull = links.length >= limits.links
  const errorOf = (place: string): string | null => (attempted ? (problems.get(place) ?? null) : null)
  return (
    <div ref={root} className={classes['fields']}>
      {links.map(({ label, url }, index) => (
        // Links have no identity but their position.
        // oxlint-disable-next-line react/no-array-index-key
        <div
          key={index}
          className={classes['link']}
          data-link={index}
          role="group"
          aria-label={fields.link(index + 1)}
        >
          <TextInput
            label={fields.linkLabel}
            value={label}
            maxLength={limits.linkLabel}
            error={errorOf(`links.${index}.label`)}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
          <TextInput
            label={fields.linkUrl}
            type="url"
            value={url}
            spellCheck={false}
            error={errorOf(`links.${index}.url`)}
            onChange={(event) => change(index, { url: event.currentTarget.value })}
          />
          <Tooltip label={fields.removeLink(index + 1)}>
            <ActionIcon
              data-remove
              aria-label={fields.removeLink(index + 1)}
              onClick={() => {
                onLinks(links.filter((_, at) => at !== index))
                const next = Math.min(index, links.length - 2)
                focusNext(next < 0 ? '[data-add]' : `[data-link="${next}"] [data-remove]`)
              }}
            >
              <IconTrash size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div data-actions data-text="note">
        <ActionButton
          size="sm"
          data-add
          aria-disabled={isFull}
          icon={IconPlus}
          onClick={() => {
            if (isFull) return
            onLinks([...links, { label: '', url: 'https://' }])
            focusNext(`[data-link="${links.length}"] input`)
          }}
        >
          {fields.addLink}
        </ActionButton>
        {isFull && <span>{fields.linkLimit(limits.links)}</span>}
      </div>
    </div>
  )
}
