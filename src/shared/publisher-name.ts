/** Rulings, "RegistryVersion.publisher". */
export function publisherName(person: { id: number; name: string | null }): string {
  return person.name ?? `Developer ${person.id}`
}
