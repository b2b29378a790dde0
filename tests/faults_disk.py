def disk_full(lab, count): pass
def disk_errors(lab, count): pass
def corrupted(lab, count): pass
