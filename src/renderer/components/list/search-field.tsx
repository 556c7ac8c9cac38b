import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { maxSearchCharacters } from '../../../shared/contracts/desk-common.ts'
import { useActions } from '../../lib/keys/actions.ts'
import { Keycap } from '../form/keycap.tsx'

/** The search field of a list. `/` focuses it; it searches after a short pause in typing. */
export function SearchField({
  value,
  placeholder,
  onSearch,
}: {
  value: string
  placeholder: string
  onSearch: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  if (known !== value) {
    // The address was changed elsewhere: the Back button, or "Clear search".
    setKnown(value)
    if (text.trim() !== value) setText(value)
  }
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (text.trim() === value) return undefined
    const timer = setTimeout(() => search(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text, value])
  useActions([
    {
      id: 'search-list',
      label: 'search this list',
      group: 'Move',
      keys: ['/'],
      run: () => input.current?.focus(),
    },
  ])
  return (
    <TextInput
      ref={input}
      size="sm"
      type="search"
      aria-label={placeholder}
      placeholder={placeholder}
      maxLength={maxSearchCharacters}
      leftSection={<IconSearch size={14} stroke={1.75} />}
      rightSection={text === '' ? <Keycap keys="/" quiet /> : null}
      rightSectionPointerEvents="none"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (text === '') event.currentTarget.blur()
        else setText('')
        event.stopPropagation()
      }}
    />
  )
}
