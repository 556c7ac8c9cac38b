/** Section 8 and rulings: bytes of one picture that an administrator uploads. */
export const maxBlogImageBytes = 104_857_600
