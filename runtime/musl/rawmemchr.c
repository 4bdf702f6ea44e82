/* A byte that is there, found byte by byte. Programs that do not find this function when they are configured bring one
   of their own, which reads whole words and so beyond the end of its object: gnulib's. */
void *rawmemchr(const void *from, int byte) {
  const unsigned char *at = from;
  while (*at != (unsigned char)byte)
    at++;
  return (void *)at;
}
