/** The sentences of `skilldock rebuild`. */
export const rebuildTexts = {
  inUse: (folder: string) =>
    `A server is running on the data folder ${folder}. Stop it first: skilldock rebuild needs exclusive access.`,
  intact: (folder: string) =>
    `The database of ${folder} is intact, and a rebuilt one would contain less. To check it, run: skilldock verify`,
  noRecords: (folder: string) =>
    `There are no records of releases in ${folder}, so nothing can be rebuilt. Restore a backup into an empty folder: skilldock restore FILE`,
  noKey:
    'signing-key.json is missing or damaged, so the records of releases cannot be trusted. Take the file from a backup, which is a plain tar archive, and try again.',
  notBuilt: (problem: string) =>
    `The new database has an error (${problem}), so nothing was changed. Restore a backup into an empty folder: skilldock restore FILE`,

  /** What is wrong with a record, after its file name. */
  record: {
    notSigned: 'it is damaged or not signed by this registry',
    otherFormat: 'it has an unknown format; a newer Skilldock may be able to read it',
    otherRelease: (id: number) => `it is the record of release ${id}`,
    mirrored: (release: string) =>
      `${release} is a copy from another registry; fill an empty folder with skilldock mirror instead`,
    packageMissing: (release: string) => `the package of ${release} is missing`,
    packageChanged: (release: string) => `the package of ${release} has changed since it was submitted`,
    twoPeople: (id: number) => `person ${id} has another identity in an earlier record`,
    contradiction: (release: string, problem: string) => `${release}: ${problem}`,
  },

  /** What the records don't contain. */
  lost: {
    always:
      'administrators, tokens and sign-ins, dismissed findings, blog posts, showcase projects, images and download counts',
    packages: (count: number) => `${count === 1 ? '1 package' : `${count} packages`} without a usable record`,
  },
} as const
