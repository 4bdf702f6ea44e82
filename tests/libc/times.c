#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
  char text[80];
  time_t when = 951782399;
  setenv("TZ", "UTC0", 1);
  tzset();
  struct tm *parts = gmtime(&when);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %B %j %U %G-W%V %e %p %y %%", parts);
  printf("%s %ld ", text, (long)mktime(parts));
  struct tm odd = {.tm_year = 124, .tm_mon = 13, .tm_mday = -3, .tm_hour = 49};
  time_t then = mktime(&odd);
  printf("%ld %s", (long)then, ctime(&then));
  struct tm read = {0};
  char *rest = strptime("12 Mar 2021 04:05:06 x", "%d %b %Y %T", &read);
  printf("%ld %s ", (long)timegm(&read), rest);
  setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
  tzset();
  when = 1625000000;
  strftime(text, sizeof text, "%H:%M %Z %z", localtime(&when));
  puts(text);
  return 0;
}
//~ output: 2000-02-28 23:59:59 Mon February 059 09 2000-W09 28 PM 00 % 951782399 1738198800 Thu Jan 30 01:00:00 2025\n1615521906  x 22:53 CEST +0200\n
//~ exits: 0
