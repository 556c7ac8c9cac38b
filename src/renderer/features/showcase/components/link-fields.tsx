import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import { limits, mostLinks } from '../project-draft.ts'
import classes from './project-editor.module.css'

type Links = ProjectContent['links']

interface Props {
  links: Links
  problems: ReadonlyMap<string, string>
  asked: boolean
  onLinks: (links: Links) => void
}

/** Where a project leads to: what it is called, and the address. */
export function LinkFields({ links, problems, asked, onLinks }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  // After a change the focus goes where a person expects it: to the new field, or the neighbour.
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    fields.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = null
  })
  const change = (index: number, part: Partial<Links[number]>): void =>
    onLinks(links.map((link, place) => (place === index ? { ...link, ...part } : link)))
  const isFull = links.length >= mostLinks
  const errorOf = (place: string): string | null => (asked ? (problems.get(place) ?? null) : null)
  return (
    <div ref={fields} className={classes['fields']}>
      {links.map(({ label, url }, index) => (
        // Links have nothing but their place that tells one from another.
        // oxlint-disable-next-line react/no-array-index-key
        <div
          key={index}
          className={classes['link']}
          data-link={index}
          role="group"
          aria-label={`Link ${index + 1}`}
        >
          <TextInput
            label="What it leads to"
            value={label}
            maxLength={limits.label}
            error={errorOf(`links.${index}.label`)}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
          <TextInput
            label="Address"
            type="url"
            value={url}
            spellCheck={false}
            error={errorOf(`links.${index}.url`)}
            onChange={(event) => change(index, { url: event.currentTarget.value })}
          />
          <Tooltip label={`Remove link ${index + 1}`}>
            <ActionIcon
              data-remove
              aria-label={`Remove link ${index + 1}`}
              onClick={() => {
                onLinks(links.filter((_, place) => place !== index))
                const next = Math.min(index, links.length - 2)
                wanted.current = next < 0 ? '[data-add]' : `[data-link="${next}"] [data-remove]`
              }}
            >
              <IconTrash size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div className={classes['add']}>
        <Button
          size="sm"
          data-add
          aria-disabled={isFull}
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => {
            if (isFull) return
            onLinks([...links, { label: '', url: 'https://' }])
            wanted.current = `[data-link="${links.length}"] input`
          }}
        >
          Add a link
        </Button>
        {isFull && <span>There are {mostLinks} links; that is all there can be.</span>}
      </div>
    </div>
  )
}
